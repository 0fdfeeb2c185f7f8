package io.stowline.table.internal.query;

import io.stowline.projection.InvalidValueException;
import io.stowline.transport.StorageLimits;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a query: rows of a page, results and time.
 *
 * @param pageSize the most rows of a page
 * @param limit the most results, 0 for no limit
 * @param deadline the time for the pages of a query together, or {@code null} for no such limit
 */
record PageLimits(int pageSize, long limit, @Nullable Duration deadline) {

    static final PageLimits DEFAULT = new PageLimits(PageLimits.MAX_PAGE, 0, null);

    private static final int MAX_PAGE = StorageLimits.QUERY_PAGE_MAX_ENTITIES;

    /** A longer time than can be counted never ends. */
    private static final Duration MAX = Duration.ofDays(36_500);

    PageLimits pageSize(int size) {
        if (size < 1 || size > MAX_PAGE) {
            throw new InvalidValueException("pageSize is 1 to " + MAX_PAGE + ", not " + size);
        }
        return new PageLimits(size, limit, deadline);
    }

    PageLimits limit(long max) {
        if (max < 1) {
            throw new InvalidValueException("limit is at least 1, not " + max);
        }
        return new PageLimits(pageSize, max, deadline);
    }

    PageLimits deadline(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("the deadline of a query is more than zero, not " + time);
        }
        return new PageLimits(pageSize, limit, time.compareTo(MAX) < 0 ? time : null);
    }

    /** Returns whether pages are fetched ahead: not with a limit, since they may not be wanted. */
    boolean prefetch() {
        return limit == 0;
    }

    @Nullable
    Integer top() {
        long top = limit == 0 ? pageSize : Math.min(pageSize, limit);
        return top == MAX_PAGE ? null : (Integer) (int) top;
    }
}
