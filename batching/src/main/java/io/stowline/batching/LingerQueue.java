package io.stowline.batching;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The lanes that wait for a fuller batch, by the time when they are due; guarded by the engine's lock. */
final class LingerQueue<K, I, R> {

    private final TreeSet<Lane<K, I, R>> lanes =
            new TreeSet<>(Comparator.<Lane<K, I, R>>comparingLong(Lane::due).thenComparingLong(lane -> lane.id));

    void add(Lane<K, I, R> lane) {
        lane.lingering = true;
        lanes.add(lane);
    }

    /** Must come before anything that changes the lane's due time. */
    void remove(Lane<K, I, R> lane) {
        if (lane.lingering) {
            lane.lingering = false;
            lanes.remove(lane);
        }
    }

    /** Takes the next lane that is due. */
    @Nullable
    Lane<K, I, R> poll(long now) {
        if (lanes.isEmpty() || lanes.first().due() > now) {
            return null;
        }
        Lane<K, I, R> lane = lanes.first();
        remove(lane);
        return lane;
    }

    /** Takes the lanes that fit, fullest first. */
    List<Lane<K, I, R>> drain(Predicate<Lane<K, I, R>> which) {
        List<Lane<K, I, R>> drained = new ArrayList<>();
        for (Lane<K, I, R> lane : lanes) {
            if (which.test(lane)) {
                drained.add(lane);
            }
        }
        drained.forEach(this::remove);
        drained.sort(Comparator.<Lane<K, I, R>>comparingLong(Lane::queuedBytes).reversed());
        return drained;
    }

    /** When the next one is due. */
    long due() {
        return lanes.isEmpty() ? Lane.NEVER : lanes.first().due();
    }
}
