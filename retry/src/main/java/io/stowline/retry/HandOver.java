package io.stowline.retry;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Hands granted permits over, one after the other on each thread: a receiver that releases its permit at once would
 * otherwise hand over the next one deeper on the stack, and so on for the whole line.
 */
final class HandOver {

    private static final ThreadLocal<Queue<Waiter>> UNDER_WAY = new ThreadLocal<>();

    private HandOver() {}

    static void run(Waiter first) {
        Queue<Waiter> underWay = UNDER_WAY.get();
        if (underWay != null) {
            addAll(underWay, first);
            return;
        }
        Queue<Waiter> queue = new ArrayDeque<>();
        addAll(queue, first);
        UNDER_WAY.set(queue);
        try {
            for (Waiter next = queue.poll(); next != null; next = queue.poll()) {
                next.deliver();
            }
        } finally {
            UNDER_WAY.remove();
        }
    }

    private static void addAll(Queue<Waiter> queue, Waiter first) {
        for (@Nullable Waiter each = first; each != null; each = each.next()) {
            queue.add(each);
        }
    }
}
