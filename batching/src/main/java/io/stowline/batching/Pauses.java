package io.stowline.batching;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The lanes that send nothing for some time, by the time when they may again; under the engine's lock. */
final class Pauses<K, I, R> {

    private final PriorityQueue<Pause<K, I, R>> pauses =
            new PriorityQueue<>(Comparator.<Pause<K, I, R>>comparingLong(Pause::until));

    private record Pause<K, I, R>(Lane<K, I, R> lane, long until) {}

    void add(Lane<K, I, R> lane, long until) {
        lane.pausedUntil = until;
        pauses.add(new Pause<>(lane, until));
    }

    /** When the next one is over. */
    long due() {
        Pause<K, I, R> next = pauses.peek();
        return next == null ? Lane.NEVER : next.until();
    }

    /** Takes the next lane whose pause is over. */
    @Nullable
    Lane<K, I, R> poll(long now) {
        Pause<K, I, R> next = pauses.peek();
        while (next != null && next.until() <= now) {
            pauses.remove();
            if (next.lane().pausedUntil == next.until()) {
                next.lane().pausedUntil = Lane.NOW;
                return next.lane();
            }
            next = pauses.peek();
        }
        return null;
    }
}
