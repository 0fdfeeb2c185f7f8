package io.stowline.queue.internal.consumer.polling;

import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** What the polls of one queue have shown, readable on any thread. */
public final class PollFigures {

    private final Scheduler clock;
    private volatile long backlog;
    private volatile @Nullable DuePoll due;
    private volatile @Nullable Stopwatch oldest;
    private volatile @Nullable String failure;

    /** None yet, by this clock. */
    public PollFigures(Scheduler clock) {
        this.clock = clock;
    }

    /** A poll that is due after this time, and has no answer yet. */
    private record DuePoll(Stopwatch since, Duration after) {

        Duration age() {
            Duration age = since.age().minus(after);
            return age.isNegative() ? Duration.ZERO : age;
        }
    }

    /** The next poll is due after this time, if it was not due before. */
    void due(Duration after) {
        DuePoll known = due;
        if (known == null || (known.age().isZero() && after.isZero())) {
            due = new DuePoll(Stopwatch.start(clock), after);
        }
    }

    /** No poll is wanted now. */
    void unwanted() {
        due = null;
    }

    /** A poll was answered; its oldest message has this age, if there was one. */
    void polled(@Nullable Duration oldestAge) {
        due = null;
        failure = null;
        oldest = oldestAge == null ? null : Stopwatch.start(clock).startedEarlier(oldestAge);
    }

    /** The last poll failed for this reason. */
    void failed(String reason) {
        failure = reason;
    }

    /** Why the last poll failed, or {@code null} if it did not. */
    public @Nullable String failure() {
        return failure;
    }

    /** How long a poll has been due without an answer; zero while none is wanted. */
    public Duration pollAge() {
        DuePoll known = due;
        return known == null ? Duration.ZERO : known.age();
    }

    void backlog(long count) {
        backlog = count;
    }

    /** About how many messages the queue has, as last read. */
    public long backlog() {
        return backlog;
    }

    /** The age of the oldest message of the last poll; zero if it brought none. */
    public Duration oldestAge() {
        Stopwatch first = oldest;
        return first == null ? Duration.ZERO : first.age();
    }
}
