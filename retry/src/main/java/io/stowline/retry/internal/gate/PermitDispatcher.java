package io.stowline.retry.internal.gate;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Hands granted permits over, one after the other on each thread: a receiver that releases its permit at once would
 * otherwise hand over the next one deeper on the stack, and so on for the whole line.
 */
final class PermitDispatcher {

    private static final ThreadLocal<Queue<PermitWaiter>> UNDER_WAY = new ThreadLocal<>();

    private PermitDispatcher() {}

    static void run(PermitWaiter first) {
        Queue<PermitWaiter> underWay = UNDER_WAY.get();
        if (underWay != null) {
            addAll(underWay, first);
            return;
        }
        Queue<PermitWaiter> queue = new ArrayDeque<>();
        addAll(queue, first);
        UNDER_WAY.set(queue);
        try {
            for (PermitWaiter next = queue.poll(); next != null; next = queue.poll()) {
                next.deliver();
            }
        } finally {
            UNDER_WAY.remove();
        }
    }

    private static void addAll(Queue<PermitWaiter> queue, PermitWaiter first) {
        for (@Nullable PermitWaiter each = first; each != null; each = each.next()) {
            queue.add(each);
        }
    }
}
