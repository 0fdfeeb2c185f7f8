package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.engine.QueueNode.ItemGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lanes by their keys; under the engine's lock. */
final class LaneTable<K, I, R> {

    private final EngineLock<K, I, R> engine;
    private final Map<GuardedKey, Lane<K, I, R>> lanes = new HashMap<>();

    /** Kept from an earlier lookup, so that not each item makes one. */
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

    /** Returns the lane of a key, a new one if there is none. */
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

    /** Reused, but never twice at once: {@code equals} of the application may call the engine. */
    private GuardedKey lookup(K key) {
        GuardedKey unused = spare;
        spare = null;
        return unused == null ? new GuardedKey(key) : unused.of(key);
    }

    /** Returns the lane of a key, or null if there is none. */
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

    /** Returns the number of lanes with something queued, in flight or waiting for room. */
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

    /** An error with one item leaves the others alone. */
    private Consumer<QueueNode<K, I, R>> safely(Consumer<QueueNode<K, I, R>> action) {
        return node -> {
            try {
                action.accept(node);
            } catch (Throwable defect) {
                engine.later(() -> engine.callbacks().threw("the end of an item", defect));
            }
        };
    }

    /** Returns the batches in flight. */
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
     * The lanes that are ready to send; under the engine's lock. They go in turn, but each {@value #TURN_OF_WHOLE}th turn is that of a lane
     * with a whole batch: in turn behind many lanes with an item each, its items come faster than they leave, and permits are spent on small
     * batches (decision 496).
     *
     * <p>While a batch has had no response for long, the lanes that had one lately go before the others. Those get every
     * {@value #TURN_OF_OTHERS}th turn where both want one, and leave a quarter of the places on the wire free: partitions that do not respond,
     * each of which takes a place for a while, do not keep one that does from it.
     */
    static final class ReadyLanes<K, I, R> {

        private static final int TURN_OF_OTHERS = 8;

        private static final int TURN_OF_WHOLE = 4;

        /** The part of the places on the wire that others leave free: a fourth. */
        private static final int FREE = 4;

        /** The most lanes whose responses are remembered. */
        private static final int MAX = 1_024;

        private final IntrusiveList<Lane<K, I, R>> responsive = new IntrusiveList<>();
        private final IntrusiveList<Lane<K, I, R>> others = new IntrusiveList<>();

        /** The lanes that have a whole batch, in the order of having it. */
        private final Set<Lane<K, I, R>> whole = new LinkedHashSet<>();

        /**
         * Keyed by the hashes of their names, so that no key of a lane that has ended is kept. Two equal hashes cost an
         * order, and nothing else.
         */
        private final Map<Integer, Boolean> responded = new LinkedHashMap<>(16, 0.75f, true);

        private int othersOnWire;
        private int silent;
        private long turns;
        private long polls;
        private long pollsBesideWhole;

        private boolean isResponsive(Lane<K, I, R> lane) {
            return responded.containsKey(lane.name.hashCode());
        }

        boolean has(Lane<K, I, R> lane) {
            return lane.readyAmong != null;
        }

        /** Puts a lane behind those that are ready, unless it has its place. */
        void add(Lane<K, I, R> lane) {
            if (lane.readyAmong == null) {
                lane.readyAmong = isResponsive(lane) ? responsive : others;
                lane.readyAmong.add(lane);
                lane.readyTurn = ++turns;
            }
        }

        /** Notes that a ready lane has a whole batch. */
        void addWhole(Lane<K, I, R> lane) {
            if (lane.readyAmong != null) {
                whole.add(lane);
            }
        }

        void remove(Lane<K, I, R> lane) {
            if (lane.readyAmong != null) {
                whole.remove(lane);
                lane.readyAmong.remove(lane);
                lane.readyAmong = null;
            }
        }

        /** Returns the number of lanes that may be taken now. */
        int wanted(Admission admission, int maxOnWire) {
            return responsive.size() + Math.min(others.size(), room(admission, maxOnWire));
        }

        /** Returns how many of the others may go on the wire; one of them always may be there. */
        private int room(Admission admission, int maxOnWire) {
            if (silent == 0) {
                return Integer.MAX_VALUE;
            }
            int places = Math.min(admission.limit(), maxOnWire);
            return Math.max(0, Math.max(1, places - Math.max(1, places / FREE)) - othersOnWire);
        }

        /** Takes the next lane; null when there is none. */
        @Nullable
        Lane<K, I, R> poll(Admission admission, int maxOnWire) {
            boolean ofWhole = silent == 0 && !whole.isEmpty() && ++pollsBesideWhole % TURN_OF_WHOLE == 0;
            Lane<K, I, R> next = ofWhole ? whole.iterator().next() : inTurn(admission, maxOnWire);
            if (next != null) {
                remove(next);
            }
            return next;
        }

        private @Nullable Lane<K, I, R> inTurn(Admission admission, int maxOnWire) {
            Lane<K, I, R> one = responsive.first();
            Lane<K, I, R> other = room(admission, maxOnWire) > 0 ? others.first() : null;
            boolean first = other == null || (one != null && goesBefore(one, other));
            return first ? one : other;
        }

        private boolean goesBefore(Lane<K, I, R> one, Lane<K, I, R> other) {
            return silent == 0 ? one.readyTurn < other.readyTurn : ++polls % TURN_OF_OTHERS != 0;
        }

        /** Notes that a batch goes on the wire for the first time. */
        void begins(InFlightBatch<K, I, R> flight) {
            flight.responsive = isResponsive(flight.lane);
            othersOnWire += flight.responsive ? 0 : 1;
        }

        /** Notes that a batch has entered or left the wire. */
        void onWire(InFlightBatch<K, I, R> flight, boolean is) {
            if (!flight.responsive) {
                othersOnWire += is ? 1 : -1;
            }
            if (is) {
                endSilence(flight);
            }
        }

        /** Notes that a lane has had a response. */
        void responded(Lane<K, I, R> lane) {
            responded.put(lane.name.hashCode(), true);
            if (responded.size() > MAX) {
                responded.remove(responded.keySet().iterator().next());
            }
        }

        /** Notes that a batch has had no response for long. */
        void silent(InFlightBatch<K, I, R> flight) {
            if (!flight.silent) {
                flight.silent = true;
                silent++;
                responded.remove(flight.lane.name.hashCode());
            }
        }

        /** Notes that a batch is not silent, or no longer. */
        void endSilence(InFlightBatch<K, I, R> flight) {
            if (flight.silent) {
                flight.silent = false;
                silent--;
            }
        }
    }

    /**
     * The sizes of the batches of a lane, in items; under the engine's lock.
     *
     * <p>A batch that was too much halves the next ones of its lane, one that went through with difficulty takes a quarter off them.
     * Each batch of the most items that goes well adds an eighth: a lane whose service takes no more than a certain size loses one
     * batch in seven or so to that discovery, where doubling would lose every second one.
     *
     * <p>A lane's number outlives the lane, for the last {@value #MAX} lanes that were not at the limit when they ended.
     */
    static final class LaneSizes<K> {

        private static final int MAX = 1_024;

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
                if (shrunk.size() > MAX) {
                    shrunk.remove(shrunk.keySet().iterator().next());
                }
            }
        }

        /** Shrinks the lane's batches after one of this many items that was too much. */
        void halve(Lane<K, ?, ?> lane, int items) {
            lane.cap = Math.max(1, Math.min(lane.cap, items) / 2);
        }

        /** Shrinks the lane's batches after one that the service carried out with difficulty. */
        void ease(Lane<K, ?, ?> lane) {
            lane.cap = Math.max(1, lane.cap - Math.max(1, lane.cap / 4));
        }

        /** Grows the lane's batches after one of this many items that went well. */
        void grow(Lane<K, ?, ?> lane, int items) {
            if (items >= lane.cap) {
                lane.cap = Math.min(limit, lane.cap + Math.max(1, lane.cap / 8));
            }
        }
    }
}
