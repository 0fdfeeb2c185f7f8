package io.stowline.queue.internal;

import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;

/**
 * The messages whose removal ended as unknown. A receive that gets one of them again removes it instead of handing it
 * out. A message is forgotten when it expires; beyond 10,000 those that expire first are. Thread-safe.
 */
public final class UnconfirmedDeletes {

    static final int MAX = 10_000;

    private final Clock clock;
    private final Map<Key, Unconfirmed> messages = new HashMap<>();
    private final NavigableSet<Unconfirmed> byExpiry = new TreeSet<>();
    private long remembered;
    private final LongAdder removed = new LongAdder();

    /** The queue and the id of a message, since ids are unique in their queue only. */
    private record Key(String queue, String id) {

        static Key of(MessageHeader message) {
            return new Key(message.queue(), message.id());
        }
    }

    /**
     * A message in the order of its expiry.
     *
     * @param number its place in the order of the deletes
     */
    private record Unconfirmed(Key key, Instant expiresAt, long number) implements Comparable<Unconfirmed> {

        @Override
        public int compareTo(Unconfirmed other) {
            int order = expiresAt.compareTo(other.expiresAt);
            return order != 0 ? order : Long.compare(number, other.number);
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
        forget(message);
        if (!byExpiry.isEmpty()) {
            removeExpired();
        }
        Unconfirmed added = new Unconfirmed(Key.of(message), message.expiresAt(), remembered++);
        messages.put(added.key, added);
        byExpiry.add(added);
    }

    private void removeExpired() {
        Instant now = clock.instant();
        while (!byExpiry.isEmpty() && (byExpiry.first().expiresAt.isBefore(now) || byExpiry.size() >= MAX)) {
            messages.remove(byExpiry.pollFirst().key);
        }
    }

    synchronized boolean holds(MessageHeader message) {
        return !messages.isEmpty() && messages.containsKey(Key.of(message));
    }

    synchronized void forget(MessageHeader message) {
        Unconfirmed known = messages.isEmpty() ? null : messages.remove(Key.of(message));
        if (known != null) {
            byExpiry.remove(known);
        }
    }

    synchronized int size() {
        return messages.size();
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
