package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lanes by their keys; under the engine's lock. */
final class LaneTable<K, I, R> {

    private final EngineLock<K, I, R> engine;
    private final Map<GuardedKey, Lane<K, I, R>> lanes = new HashMap<>();

    /** Of an earlier look-up, so that not each item makes one. */
    private @Nullable GuardedKey spare;

    /** Lanes that have nothing but reserved entities. */
    private final Map<GuardedKey, Lane<K, I, R>> resting = new HashMap<>();

    private final LaneSizes<K> sizes;
    private long laneIds;

    LaneTable(EngineLock<K, I, R> engine, int maxItems) {
        this.engine = engine;
        this.sizes = new LaneSizes<>(maxItems);
    }

    LaneSizes<K> sizes() {
        return sizes;
    }

    /** The lane of a key, made if there is none. */
    Lane<K, I, R> lane(K key) {
        GuardedKey name = lookup(key);
        Lane<K, I, R> lane = lanes.get(name);
        if (lane != null) {
            spare = name;
        } else {
            Lane<K, I, R> rested = resting.get(name);
            if (name.failure() != null) {
                throw name.failure();
            }
            lane = rested == null ? new Lane<>(key, name, ++laneIds, sizes.begin(name)) : rested;
            resting.remove(lane.name, lane);
            lanes.put(lane.name, lane);
        }
        return lane;
    }

    /** A key to find a lane by, which must not be used twice at once: {@code equals} of the application may call the engine. */
    private GuardedKey lookup(K key) {
        GuardedKey unused = spare;
        spare = null;
        return unused == null ? new GuardedKey(key) : unused.of(key);
    }

    /** The lane of a key, or null if there is none. */
    @Nullable
    Lane<K, I, R> existing(K key) {
        GuardedKey name = lookup(key);
        Lane<K, I, R> lane = lanes.get(name);
        spare = name;
        return lane;
    }

    /** Drops a lane that is idle; one that reserves entities rests. */
    void evict(Lane<K, I, R> lane) {
        if (!lane.isIdle()) {
            return;
        }
        boolean was = lanes.remove(lane.name, lane);
        if (lane.isReserved()) {
            resting.put(lane.name, lane);
        } else if (resting.remove(lane.name, lane) || was) {
            sizes.end(lane);
        }
    }

    /** The number of lanes with something queued, in flight or waiting for room. */
    int size() {
        return lanes.size();
    }

    /** Calls for every node that is not in flight. */
    void forEachQueued(Consumer<QueueNode<K, I, R>> action) {
        for (Lane<K, I, R> lane : new ArrayList<>(lanes.values())) {
            lane.forEach(safely(action));
        }
    }

    /** Calls for every node that is in flight. */
    void forEachInFlight(Consumer<QueueNode<K, I, R>> action) {
        inFlight().forEach(flight -> forEach(flight, action));
    }

    /** Calls for every node of a batch in flight. */
    void forEach(InFlightBatch<K, I, R> flight, Consumer<QueueNode<K, I, R>> action) {
        if (flight.payload instanceof BatchPart<K, I, R> chunk) {
            chunk.entries().forEach(safely(action));
        } else if (flight.payload instanceof ItemGroup<K, I, R> group) {
            safely(action).accept(group);
        }
    }

    /** What goes wrong with one item leaves the others alone. */
    private Consumer<QueueNode<K, I, R>> safely(Consumer<QueueNode<K, I, R>> action) {
        return node -> {
            try {
                action.accept(node);
            } catch (Throwable defect) {
                engine.later(() -> engine.callbacks().threw("the end of an item", defect));
            }
        };
    }

    /** The batches in flight. */
    List<InFlightBatch<K, I, R>> inFlight() {
        List<InFlightBatch<K, I, R>> flights = new ArrayList<>();
        for (Lane<K, I, R> lane : lanes.values()) {
            if (lane.flight != null) {
                flights.add(lane.flight);
            }
        }
        return flights;
    }

    /**
     * How many items the batches of a lane may have; under the engine's lock.
     *
     * <p>A batch that was too much halves the next ones of its lane, one that went through with difficulty takes a quarter off them.
     * Each batch of the most items that goes well adds an eighth: a lane whose service takes no more than a certain size loses one
     * batch in seven or so to finding that out, where doubling would lose every second one.
     *
     * <p>A lane's number outlives the lane, for the last {@value #MOST} lanes that were not at the limit when they ended.
     */
    static final class LaneSizes<K> {

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
}
