package io.stowline.table;

import io.stowline.transport.StorageLimits;
import org.jspecify.annotations.Nullable;

/**
 * How many rows are asked for.
 *
 * @param pageSize the most rows of a page
 * @param limit the most results, 0 for no limit
 */
record Paging(int pageSize, long limit) {

    static final Paging DEFAULT = new Paging(Paging.LARGEST_PAGE, 0);

    private static final int LARGEST_PAGE = StorageLimits.QUERY_PAGE_MAX_ENTITIES;

    Paging pageSize(int size) {
        if (size < 1 || size > LARGEST_PAGE) {
            throw new IllegalArgumentException("pageSize is 1 to " + LARGEST_PAGE + ", not " + size);
        }
        return new Paging(size, limit);
    }

    Paging limit(long most) {
        if (most < 1) {
            throw new IllegalArgumentException("limit is at least 1, not " + most);
        }
        return new Paging(pageSize, most);
    }

    /** With a limit no page is fetched ahead, since it may not be wanted. */
    boolean prefetch() {
        return limit == 0;
    }

    @Nullable
    Integer top() {
        long top = limit == 0 ? pageSize : Math.min(pageSize, limit);
        return top == LARGEST_PAGE ? null : (Integer) (int) top;
    }
}
