package io.stowline.retry;

import java.util.ArrayDeque;
import java.util.Queue;

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
            underWay.add(first);
            return;
        }
        Queue<Waiter> queue = new ArrayDeque<>();
        UNDER_WAY.set(queue);
        try {
            for (Waiter next = first; next != null; next = queue.poll()) {
                next.deliver();
            }
        } finally {
            UNDER_WAY.remove();
        }
    }
}
