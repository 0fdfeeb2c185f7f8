package io.stowline.table.internal.outbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The room for messages that a client delivers after their commits, which bounds their memory. One queue has half of it, so that a queue
 * without responses leaves the rest to others. Thread-safe.
 */
final class DeliveryRoom {

    static final int MAX_MESSAGES = 1_000;
    static final int MAX_TO_QUEUE = 500;

    private final Map<String, Integer> toQueues = new HashMap<>();
    private int messages;

    /** Takes the room for all messages of a transaction, or for none of them. */
    synchronized boolean enter(List<OutboxRow> rows) {
        count(rows, 1);
        boolean enough = messages <= MAX_MESSAGES
                && rows.stream().allMatch(row -> toQueues.getOrDefault(row.target(), 0) <= MAX_TO_QUEUE);
        if (!enough) {
            count(rows, -1);
        }
        return enough;
    }

    /** Gives the room back. */
    synchronized void leave(List<OutboxRow> rows) {
        count(rows, -1);
    }

    private void count(List<OutboxRow> rows, int each) {
        for (OutboxRow row : rows) {
            messages += each;
            toQueues.merge(row.target(), each, Integer::sum);
            toQueues.remove(row.target(), 0);
        }
    }
}
