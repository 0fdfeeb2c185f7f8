package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** What a consumer has done and what it holds, readable on any thread. */
public final class ConsumerCounters {

    private final Scheduler clock;
    private final Map<Result, LongAdder> results = new EnumMap<>(Result.class);
    private volatile int running;
    private volatile int inHand;
    private volatile long backlog;
    private volatile Stopwatch polled;
    private volatile @Nullable Stopwatch oldest;

    ConsumerCounters(Scheduler clock) {
        this.clock = clock;
        this.polled = Stopwatch.start(clock);
        for (Result result : Result.values()) {
            results.put(result, new LongAdder());
        }
    }

    void count(Result result) {
        Objects.requireNonNull(results.get(result)).increment();
    }

    void holds(int handlersRunning, int messagesInHand) {
        running = handlersRunning;
        inHand = messagesInHand;
    }

    /** A poll was answered; its oldest message has this age, if there was one. */
    void polled(@Nullable Duration oldestAge) {
        Stopwatch now = Stopwatch.start(clock);
        polled = now;
        oldest = oldestAge == null ? null : now.startedEarlier(oldestAge);
    }

    void backlog(long count) {
        backlog = count;
    }

    /** How many deliveries ended so. */
    public long of(Result result) {
        return Objects.requireNonNull(results.get(result)).sum();
    }

    /** How many handlers run. */
    public int running() {
        return running;
    }

    /** How many messages are held. */
    public int inHand() {
        return inHand;
    }

    /** About how many messages the queue has, as last read. */
    public long backlog() {
        return backlog;
    }

    /** How long ago the last poll was answered, or the consumer started. */
    public Duration pollAge() {
        return polled.age();
    }

    /** The age of the oldest message of the last poll; zero if that brought none. */
    public Duration oldestAge() {
        Stopwatch first = oldest;
        return first == null ? Duration.ZERO : first.age();
    }
}
