package io.stowline.queue.internal;

import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Clock;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The messages whose removal ended as unknown. A receive that gets one of them again removes it instead of handing it
 * out. A message is forgotten when it expires; beyond 10,000 the oldest are. Thread-safe.
 */
public final class UnconfirmedDeletes {

    static final int MAX = 10_000;

    private final Clock clock;
    private final Map<Key, Instant> expiries = new LinkedHashMap<>();
    private final LongAdder removed = new LongAdder();

    /** The queue and the id of a message, since ids are unique in their queue only. */
    private record Key(String queue, String id) {

        static Key of(MessageHeader message) {
            return new Key(message.queue(), message.id());
        }
    }

    /**
     * Knows of no message yet.
     *
     * @param clock the time of day
     */
    public UnconfirmedDeletes(Clock clock) {
        this.clock = clock;
    }

    synchronized void remember(MessageHeader message) {
        if (!expiries.isEmpty()) {
            removeExpired();
        }
        expiries.put(Key.of(message), message.expiresAt());
    }

    /** From the oldest on, up to one that has not expired: a delete in flight does not look at all others. */
    private void removeExpired() {
        Instant now = clock.instant();
        Iterator<Instant> oldest = expiries.values().iterator();
        while (oldest.hasNext() && (oldest.next().isBefore(now) || expiries.size() >= MAX)) {
            oldest.remove();
        }
    }

    synchronized boolean holds(MessageHeader message) {
        return !expiries.isEmpty() && expiries.containsKey(Key.of(message));
    }

    synchronized void forget(MessageHeader message) {
        expiries.remove(Key.of(message));
    }

    synchronized int size() {
        return expiries.size();
    }

    void countRemoved() {
        removed.increment();
    }

    /**
     * Returns the number of messages that were received again and then removed.
     *
     * @return the number so far
     */
    public long removed() {
        return removed.sum();
    }
}
