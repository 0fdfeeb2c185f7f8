package io.stowline.ring.internal.move;

import io.stowline.ring.PartitionMovingException;
import io.stowline.ring.internal.move.PlaceRow.PlaceStage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of applications in the partitions of a table that may move. A write merges the fence row that its place row names, and
 * begins again if the fence is gone. A read counts if the place row is the same after it. Thread-safe.
 */
public final class PartitionFence {

    private static final int MAX_CACHED = 10_000;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final PartitionStore store;
    private final Function<String, RingDescription> descriptions;
    private final MovePause pause;
    private final Duration deadline;
    private final Map<String, PlaceRow> cached = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PlaceRow> eldest) {
            return size() > MAX_CACHED;
        }
    };

    /**
     * Makes the way to the partitions.
     *
     * @param descriptions gives the ring's description for a partition, after the check that this process may use the ring
     * @param deadline how long an operation waits for a partition that moves
     */
    public PartitionFence(
            PartitionStore store, Function<String, RingDescription> descriptions, MovePause pause, Duration deadline) {
        this.store = store;
        this.descriptions = descriptions;
        this.pause = pause;
        this.deadline = deadline;
    }

    /** A write of an application. */
    @FunctionalInterface
    public interface FencedWrite<R> {

        /**
         * Writes.
         *
         * @param home where
         * @param fenceRow the row that its transaction merges; {@code null} if no partition moves
         * @throws FenceClosedException if that row is gone
         * @throws RefusedWriteException if the service refused another operation
         */
        R at(RingEpoch home, @Nullable String fenceRow);
    }

    /** Carries out a write where the partition is, once it may be written. */
    public <R> R write(String partitionKey, FencedWrite<R> write) {
        Waits waits = new Waits();
        while (true) {
            RingDescription description = descriptions.apply(partitionKey);
            if (!description.phase().fenced()) {
                return unfenced(description, write);
            }
            PlaceRow row = cached(partitionKey);
            if (row == null) {
                row = keep(partitionKey, born(store, partitionKey, description));
            }
            if (row != null && row.isOpen()) {
                try {
                    return write.at(row.source(), row.openRow());
                } catch (FenceClosedException e) {
                    forget(partitionKey);
                } catch (RefusedWriteException e) {
                    // What was refused may be a leftover of the partition.
                    if (row.isLike(keep(partitionKey, store.place(RingEpoch.OLD, partitionKey)))) {
                        throw e.refusal();
                    }
                }
            } else {
                forget(partitionKey);
            }
            waits.next();
        }
    }

    private static <R> R unfenced(RingDescription description, FencedWrite<R> write) {
        try {
            return write.at(description.phase().home(), null);
        } catch (RefusedWriteException e) {
            throw e.refusal();
        }
    }

    /** Reads where the partition is. The read may run several times; its last result counts. */
    public <R> R read(String partitionKey, Function<RingEpoch, R> read) {
        Waits waits = new Waits();
        while (true) {
            RingDescription description = descriptions.apply(partitionKey);
            if (!description.phase().fenced()) {
                return read.apply(description.phase().home());
            }
            PlaceRow row = cached(partitionKey);
            if (row == null) {
                row = keep(partitionKey, store.place(RingEpoch.OLD, partitionKey));
            }
            R result = read.apply(row == null ? description.phase().home() : row.source());
            PlaceRow after = keep(partitionKey, store.place(RingEpoch.OLD, partitionKey));
            if (row == null ? after == null : row.isLike(after)) {
                return result;
            }
            waits.next();
        }
    }

    /**
     * Makes the place row of a partition that has none.
     *
     * @return the place row that is there afterwards; {@code null} if that is unknown
     */
    static @Nullable PlaceRow born(PartitionStore store, String partitionKey, RingDescription description) {
        PlaceRow row = store.place(RingEpoch.OLD, partitionKey);
        if (row != null) {
            return row;
        }
        long term = description.term();
        if (description.phase().home() == RingEpoch.OLD) {
            store.put(RingEpoch.OLD, partitionKey, null, PlaceRow.fresh(PlaceStage.OLD, term));
        } else {
            PlaceRow there = store.place(RingEpoch.NEW, partitionKey);
            if (there == null || there.stage() != PlaceStage.OPEN) {
                // A row in another stage is a leftover as long as there is no place row in the old home.
                if (store.place(RingEpoch.OLD, partitionKey) == null) {
                    store.put(RingEpoch.NEW, partitionKey, there, PlaceRow.fresh(PlaceStage.OPEN, term));
                }
                there = store.place(RingEpoch.NEW, partitionKey);
            }
            if (there != null && there.stage() == PlaceStage.OPEN) {
                store.put(RingEpoch.OLD, partitionKey, null, there.at(PlaceStage.NEW, term));
            }
        }
        return store.place(RingEpoch.OLD, partitionKey);
    }

    private synchronized @Nullable PlaceRow cached(String partitionKey) {
        return cached.get(partitionKey);
    }

    private synchronized @Nullable PlaceRow keep(String partitionKey, @Nullable PlaceRow row) {
        if (row == null) {
            cached.remove(partitionKey);
        } else {
            cached.put(partitionKey, row);
        }
        return row;
    }

    private synchronized void forget(String partitionKey) {
        cached.remove(partitionKey);
    }

    /** The waits of one operation for a partition that moves. */
    private final class Waits {

        private final long begun = pause.nanos();
        private Duration length = FIRST_PAUSE;

        void next() {
            if (pause.nanos() - begun >= deadline.toNanos()) {
                throw new PartitionMovingException(store.name(), deadline);
            }
            pause.await(length);
            length = length.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? length.multipliedBy(2) : LONGEST_PAUSE;
        }
    }
}
