package io.stowline.queue.internal.consumer.polling;

import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** The figures of the polls of one queue, readable on any thread. */
public final class PollStats {

    private final Scheduler clock;
    private volatile long backlog;
    private volatile @Nullable DuePoll due;
    private volatile @Nullable Stopwatch oldest;
    private volatile @Nullable String failure;

    /** Makes empty figures by this clock. */
    public PollStats(Scheduler clock) {
        this.clock = clock;
    }

    /** A poll that is due after this time, and has no response yet. */
    private record DuePoll(Stopwatch since, Duration after) {

        Duration age() {
            Duration age = since.age().minus(after);
            return age.isNegative() ? Duration.ZERO : age;
        }
    }

    /** Sets the next poll due after this time, if it was not due before. */
    void due(Duration after) {
        DuePoll known = due;
        if (known == null || (known.age().isZero() && after.isZero())) {
            due = new DuePoll(Stopwatch.start(clock), after);
        }
    }

    /** Stops the time, as no poll is wanted now. */
    void unwanted() {
        due = null;
    }

    /** Records the response to a poll; its oldest message has this age, if there was one. */
    void polled(@Nullable Duration oldestAge) {
        due = null;
        failure = null;
        oldest = oldestAge == null ? null : Stopwatch.start(clock).startedEarlier(oldestAge);
    }

    /** Records why the last poll failed. */
    void failed(String reason) {
        failure = reason;
    }

    /** Returns why the last poll failed, or {@code null} if it did not. */
    public @Nullable String failure() {
        return failure;
    }

    /** Returns the time for which a poll has been due without a response; zero while none is wanted. */
    public Duration pollAge() {
        DuePoll known = due;
        return known == null ? Duration.ZERO : known.age();
    }

    void backlog(long count) {
        backlog = count;
    }

    /** Returns the approximate number of messages in the queue, as last read. */
    public long backlog() {
        return backlog;
    }

    /** Returns the age of the oldest message of the last poll; zero if it received none. */
    public Duration oldestAge() {
        Stopwatch first = oldest;
        return first == null ? Duration.ZERO : first.age();
    }
}
