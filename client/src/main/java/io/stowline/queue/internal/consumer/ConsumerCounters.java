package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.consumer.polling.PollStats;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** The counters of a consumer, readable on any thread. */
public final class ConsumerCounters {

    private final Scheduler clock;
    private final Map<Result, LongAdder> results = new EnumMap<>(Result.class);
    private volatile int running;
    private final List<PollStats> queues = new CopyOnWriteArrayList<>();
    private volatile int inHand;

    ConsumerCounters(Scheduler clock) {
        this.clock = clock;
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

    /** Returns the figures of one more queue. */
    PollStats queue() {
        PollStats pollStats = new PollStats(clock);
        queues.add(pollStats);
        return pollStats;
    }

    /** Returns the number of deliveries with this result. */
    public long of(Result result) {
        return Objects.requireNonNull(results.get(result)).sum();
    }

    /** Returns the number of running handlers. */
    public int running() {
        return running;
    }

    /** Returns the number of messages in hand. */
    public int inHand() {
        return inHand;
    }

    /** Returns the approximate number of messages in the queues, as last read. */
    public long backlog() {
        return queues.stream().mapToLong(PollStats::backlog).sum();
    }

    /**
     * Returns the time for which a poll has been due without a response, zero while none is wanted; of several queues
     * the longest time.
     */
    public Duration pollAge() {
        return longest(queues.stream().map(PollStats::pollAge));
    }

    /** Returns the age of the oldest message of the last polls; zero if they received none. */
    public Duration oldestAge() {
        return longest(queues.stream().map(PollStats::oldestAge));
    }

    /**
     * Returns why the last poll of a queue failed; of several queues the first that fails, or {@code null} if none
     * does.
     */
    public @Nullable String pollFailure() {
        return queues.stream()
                .map(PollStats::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static Duration longest(Stream<Duration> times) {
        return times.max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** Returns the ends of messages so far. */
    StopReport ends() {
        return new StopReport(
                of(Result.COMPLETED),
                of(Result.RETRIED) + of(Result.POISONED) + of(Result.POISON_FAILED) + of(Result.LOST),
                of(Result.RELEASED),
                of(Result.ABANDONED));
    }
}
