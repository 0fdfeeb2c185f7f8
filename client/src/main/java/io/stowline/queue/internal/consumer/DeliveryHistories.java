package io.stowline.queue.internal.consumer;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The memory of a client for messages that may come again to any of its consumers: the counts of those that are still
 * to be handled with their last failures, and the names of those that are done. All are bounded by number and by age, and
 * forget first what was used least recently. Thread-safe.
 */
public final class DeliveryHistories {

    /** The limit of each of the two, for all queues of the client. */
    static final int MAX = 10_000;

    /** The limit of failures, whose stacks and messages take far more memory than counts. */
    static final int MAX_FAILURES = 1_000;

    /** Longer than a message can stay hidden, by a lease or by a retry delay. */
    static final Duration AGE_OF_COUNTS = Duration.ofDays(8);

    static final Duration AGE_OF_DONE = Duration.ofDays(1);

    private final Scheduler clock;
    private final Map<MessageKey, Dated<Counts>> counts = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<MessageKey, Dated<Throwable>> failures = new LinkedHashMap<>();
    private final Map<MessageKey, Dated<Boolean>> done = new LinkedHashMap<>();

    /**
     * A name of a message.
     *
     * @param id its id, or that of its event: both are unique in their queue only
     */
    record MessageKey(String queue, String id) {}

    /**
     * Known deliveries of a message that did not complete it.
     *
     * @param failures how many handlings failed
     * @param returned how many deliveries ended without a failure
     * @param unread how many of these had a body that was not read
     */
    record Counts(int failures, long returned, int unread) {

        static final Counts NONE = new Counts(0, 0, 0);

        Counts failed() {
            return new Counts(failures + 1, returned, unread);
        }

        Counts givenBack() {
            return new Counts(failures, returned + 1, unread);
        }

        Counts withoutBody() {
            return new Counts(failures, returned, unread + 1);
        }

        /** Returns the larger one of each known count and the message's. */
        Counts atLeast(int noted, long releases) {
            return new Counts(Math.max(failures, noted), Math.max(returned, releases), unread);
        }
    }

    private record Dated<V>(V value, long millis) {}

    /**
     * Memory that is empty.
     *
     * @param clock the time of day
     */
    public DeliveryHistories(Scheduler clock) {
        this.clock = clock;
    }

    synchronized Counts counts(MessageKey message) {
        Dated<Counts> known = counts.get(message);
        return known == null ? Counts.NONE : known.value();
    }

    synchronized Counts change(MessageKey message, UnaryOperator<Counts> change) {
        Counts changed = change.apply(counts(message));
        counts.put(message, new Dated<>(changed, now()));
        trim(counts, MAX, AGE_OF_COUNTS);
        return changed;
    }

    /** Returns the last failure of a message that has not ended, or {@code null} if none is known. */
    synchronized @Nullable Throwable failure(MessageKey message) {
        Dated<Throwable> known = failures.get(message);
        return known == null ? null : known.value();
    }

    /** Records the last failure of a message. */
    synchronized void failure(MessageKey message, Throwable last) {
        failures.remove(message);
        failures.put(message, new Dated<>(last, now()));
        trim(failures, MAX_FAILURES, AGE_OF_COUNTS);
    }

    synchronized boolean isDone(MessageKey message) {
        return done.containsKey(message);
    }

    /** Records a finished message, which needs no counts. */
    synchronized void done(MessageKey message) {
        counts.remove(message);
        failures.remove(message);
        done.remove(message);
        done.put(message, new Dated<>(true, now()));
        trim(done, MAX, AGE_OF_DONE);
    }

    /** Returns how many messages are remembered. */
    synchronized int size() {
        return counts.size() + done.size();
    }

    private long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }

    private <V> void trim(Map<MessageKey, Dated<V>> memory, int max, Duration age) {
        long eldest = now() - age.toMillis();
        Iterator<Dated<V>> entries = memory.values().iterator();
        while (entries.hasNext()) {
            Dated<V> next = entries.next();
            if (memory.size() <= max && next.millis() >= eldest) {
                return;
            }
            entries.remove();
        }
    }
}
