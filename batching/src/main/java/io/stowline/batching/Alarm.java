package io.stowline.batching;

import java.util.PriorityQueue;

/**
 * The timers that are set; under the engine's lock.
 *
 * <p>A timer is set only for a time before all timers that are set, so that few are ever outstanding. Timers are not
 * cancelled: one that finds nothing due does nothing.
 */
final class Alarm {

    private final PriorityQueue<Long> timers = new PriorityQueue<>();

    /** Notes that something is due; true when a timer must be set for it. */
    boolean set(long due) {
        Long earliest = timers.peek();
        if (due == Lane.NEVER || (earliest != null && earliest <= due)) {
            return false;
        }
        timers.add(due);
        return true;
    }

    void fired(long due) {
        timers.remove(due);
    }
}
