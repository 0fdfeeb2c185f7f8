package io.stowline.batching.internal.engine;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many items the batches of a lane may have; under the engine's lock.
 *
 * <p>A batch that was too much halves the next ones of its lane, one that went through with difficulty takes a quarter off them.
 * Each batch of the most items that goes well adds an eighth: a lane whose service takes no more than a certain size loses one
 * batch in seven or so to finding that out, where doubling would lose every second one.
 *
 * <p>A lane's number outlives the lane, for the last {@value #MOST} lanes that were not at the limit when they ended.
 */
final class LaneSizes<K> {

    private static final int MOST = 1_024;

    private final int limit;
    private final Map<GuardedKey, Integer> shrunk = new LinkedHashMap<>();

    LaneSizes(int limit) {
        this.limit = limit;
    }

    /** Takes over the number of a lane that begins. */
    int begin(GuardedKey key) {
        Integer kept = shrunk.isEmpty() ? null : shrunk.remove(key);
        return kept == null ? limit : kept;
    }

    /** Keeps the number of a lane that ends. */
    void end(Lane<K, ?, ?> lane) {
        if (lane.cap < limit) {
            shrunk.put(lane.name, lane.cap);
            if (shrunk.size() > MOST) {
                shrunk.remove(shrunk.keySet().iterator().next());
            }
        }
    }

    /** After a batch of this many items that was too much. */
    void halve(Lane<K, ?, ?> lane, int items) {
        lane.cap = Math.max(1, Math.min(lane.cap, items) / 2);
    }

    /** After a batch that the service had trouble with. */
    void ease(Lane<K, ?, ?> lane) {
        lane.cap = Math.max(1, lane.cap - Math.max(1, lane.cap / 4));
    }

    /** After a batch of this many items that went well. */
    void grow(Lane<K, ?, ?> lane, int items) {
        if (items >= lane.cap) {
            lane.cap = Math.min(limit, lane.cap + Math.max(1, lane.cap / 8));
        }
    }
}
