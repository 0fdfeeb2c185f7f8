package io.stowline.table.internal.query;

import io.stowline.error.DeadlineExceededException;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.internal.error.FailureFacts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The time of one query over all its pages and parts. It runs while at least one page is in flight, one that is fetched ahead included, and
 * stands still while none is. Thread-safe.
 */
public final class QueryDeadline {

    private static final Duration NONE = Duration.ofNanos(Long.MAX_VALUE);

    private final String table;
    private final Duration max;
    private final Scheduler timer;

    private long spent;
    private long since;
    private int inFlight;
    private int requested;
    private int arrived;

    /**
     * The time of a query that begins now.
     *
     * @param table the table's name, for the error
     * @param max the time, or {@code null} for a query without a deadline
     * @param timer the clock
     */
    public QueryDeadline(String table, @Nullable Duration max, Scheduler timer) {
        this.table = table;
        this.max = max == null ? NONE : max;
        this.timer = timer;
    }

    /**
     * Limits the request of one page to the time that is left. A late page is cancelled.
     *
     * @param page the request
     * @return the page, or a {@link DeadlineExceededException}
     */
    public Mono<QueryPage> within(Mono<QueryPage> page) {
        return max.equals(NONE) ? page : Mono.defer(() -> timed(page));
    }

    private Mono<QueryPage> timed(Mono<QueryPage> page) {
        Duration left = begun();
        if (left == null) {
            return Mono.error(this::exceeded);
        }
        return page.doOnNext(come -> count())
                .timeout(left, Mono.error(this::exceeded), timer)
                .doFinally(end -> ended());
    }

    /** Returns the clock of the query. */
    public Scheduler timer() {
        return timer;
    }

    /** Null if no time is left for a page that begins now. */
    private synchronized @Nullable Duration begun() {
        long now = timer.now(TimeUnit.NANOSECONDS);
        long left = max.toNanos() - spent(now);
        if (left <= 0) {
            return null;
        }
        if (inFlight == 0) {
            since = now;
        }
        inFlight++;
        requested++;
        return Duration.ofNanos(left);
    }

    private synchronized void count() {
        arrived++;
    }

    private synchronized void ended() {
        spent = spent(timer.now(TimeUnit.NANOSECONDS));
        since = timer.now(TimeUnit.NANOSECONDS);
        inFlight--;
    }

    private long spent(long now) {
        return inFlight == 0 ? spent : spent + now - since;
    }

    private synchronized DeadlineExceededException exceeded() {
        return new DeadlineExceededException(
                FailureFacts.of("query", table)
                        .tried(requested, 0, Duration.ofNanos(spent(timer.now(TimeUnit.NANOSECONDS))))
                        .ids("of each page its own", null)
                        .because(
                                arrived + (arrived == 1 ? " page" : " pages") + " had come and more were to follow",
                                "the query's deadline of " + max
                                        + " has passed, counted while pages were in flight, those fetched ahead"
                                        + " included"),
                null);
    }
}
