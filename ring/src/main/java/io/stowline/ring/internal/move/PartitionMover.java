package io.stowline.ring.internal.move;

import io.stowline.ring.RingMoveSupersededException;
import io.stowline.ring.StrayEntitiesException;
import io.stowline.ring.internal.move.PlaceRow.PlaceStage;
import io.stowline.table.EntityKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The moves of single partitions by one mover. Each step is one transaction that depends on the version of the row that it changes, so a
 * mover that begins again reads the rows and goes on. A mover of a later term takes over; the earlier one fails with
 * {@link RingMoveSupersededException}.
 */
final class PartitionMover {

    /** The place of entities in a new home that no mover has brought there. */
    static final String STRAY = "in the account that their partition is about to get, which the move would remove";

    private final PartitionStore store;
    private final RingDescription description;
    private final long term;

    PartitionMover(PartitionStore store, RingDescription description) {
        this.store = store;
        this.description = description;
        this.term = description.term();
    }

    /**
     * Moves a partition to a home, and leaves the mover's term in its place row.
     *
     * @return whether it was elsewhere
     */
    boolean bring(String partitionKey, RingEpoch target) {
        boolean moved = false;
        PlaceRow mine = null;
        while (true) {
            PlaceRow row = PartitionFence.born(store, partitionKey, description);
            if (row == null) {
                continue;
            }
            refuseLater(row);
            if (row.isOpen() && row.source() == target) {
                if (row.term() == term) {
                    return moved;
                }
                store.put(RingEpoch.OLD, partitionKey, row, row.at(row.stage(), term));
                continue;
            }
            moved = true;
            if (row.stage() == PlaceStage.TO_NEW && target == RingEpoch.OLD) {
                // The old home has all rows: an unfinished copy in the new one is a leftover.
                store.put(RingEpoch.OLD, partitionKey, row, PlaceRow.fresh(PlaceStage.OLD, term));
            } else if (row.stage() == PlaceStage.OLD && store.place(RingEpoch.NEW, partitionKey) == null) {
                if (hasStrays(partitionKey, row)) {
                    continue;
                }
                // Only a replacement leads to a copy: a row that was removed since then stops an earlier mover.
                store.put(RingEpoch.NEW, partitionKey, null, PlaceRow.fresh(PlaceStage.LEFT, term));
            } else if (!row.isLike(mine)) {
                mine = PlaceRow.fresh(row.source() == RingEpoch.OLD ? PlaceStage.TO_NEW : PlaceStage.TO_OLD, term);
                store.put(RingEpoch.OLD, partitionKey, row, mine);
            } else if (row.stage() == PlaceStage.TO_NEW) {
                toNew(partitionKey, row);
            } else {
                toOld(partitionKey, row);
            }
        }
    }

    /**
     * Returns whether another mover was here. Entities in a new home without a place row are no leftovers of a mover.
     *
     * @throws StrayEntitiesException if there are any
     */
    private boolean hasStrays(String partitionKey, PlaceRow row) {
        List<EntityKey> strays = store.entities(RingEpoch.NEW, partitionKey);
        if (strays.isEmpty()) {
            return false;
        }
        if (store.place(RingEpoch.NEW, partitionKey) == null && confirmed(partitionKey, row)) {
            throw new StrayEntitiesException(store.name(), STRAY, strays);
        }
        return true;
    }

    private void refuseLater(PlaceRow row) {
        if (row.term() > term) {
            throw new RingMoveSupersededException(term, row.term());
        }
    }

    private void toNew(String partitionKey, PlaceRow row) {
        PlaceRow there = thereOf(partitionKey);
        boolean own = there.fence().equals(row.fence());
        if (own && there.stage() == PlaceStage.OPEN) {
            store.put(RingEpoch.OLD, partitionKey, row, row.at(PlaceStage.NEW, term));
        } else if (own && there.stage() == PlaceStage.COPYING) {
            if (aligned(RingEpoch.OLD, RingEpoch.NEW, partitionKey, row)) {
                store.put(RingEpoch.NEW, partitionKey, there, row.at(PlaceStage.OPEN, term));
            }
        } else if (confirmed(partitionKey, row)) {
            store.put(RingEpoch.NEW, partitionKey, there, row.at(PlaceStage.COPYING, term));
        }
    }

    /** Every partition that moves has a row in its new home before, and loses it only after the last pass. */
    private PlaceRow thereOf(String partitionKey) {
        PlaceRow there = store.place(RingEpoch.NEW, partitionKey);
        if (there == null) {
            throw new IllegalStateException("the place row in the new home of a partition of " + store.name()
                    + " that moves is gone: another mover has ended the change");
        }
        return there;
    }

    private void toOld(String partitionKey, PlaceRow row) {
        PlaceRow there = thereOf(partitionKey);
        if (there.stage() != PlaceStage.LEFT) {
            if (confirmed(partitionKey, row)) {
                store.put(RingEpoch.NEW, partitionKey, there, row.at(PlaceStage.LEFT, term));
            }
        } else if (aligned(RingEpoch.NEW, RingEpoch.OLD, partitionKey, row)) {
            store.put(RingEpoch.OLD, partitionKey, row, row.at(PlaceStage.OLD, term));
        }
    }

    /** Returns whether this mover still has the partition, after it has read the row in the new home. */
    private boolean confirmed(String partitionKey, PlaceRow row) {
        PlaceRow now = store.place(RingEpoch.OLD, partitionKey);
        return now != null && now.etag().equals(row.etag());
    }

    /** Returns false if another mover has taken over. The last comparison, which finds nothing, is the verification. */
    private boolean aligned(RingEpoch from, RingEpoch to, String partitionKey, PlaceRow row) {
        try {
            while (store.align(from, to, partitionKey, row.copyRow()) > 0) {
                refuseLater(row);
            }
            return true;
        } catch (FenceClosedException e) {
            return false;
        }
    }

    /** Removes what a finished move has left of a partition that is in a home. */
    void clean(String partitionKey, RingEpoch home) {
        while (true) {
            PlaceRow row = store.place(RingEpoch.OLD, partitionKey);
            if (row != null) {
                refuseLater(row);
                refuseElsewhere(row, home);
            }
            PlaceRow there = store.place(RingEpoch.NEW, partitionKey);
            if (there != null) {
                refuseLater(there);
                // Without a place row in the old home this one is a leftover of a writer, and the entities are not.
                store.clear(RingEpoch.NEW, partitionKey, there, row != null && home == RingEpoch.OLD);
            } else if (row != null) {
                store.clear(RingEpoch.OLD, partitionKey, row, home == RingEpoch.NEW);
            } else {
                return;
            }
        }
    }

    private void refuseElsewhere(PlaceRow row, RingEpoch home) {
        if (!row.isOpen() || row.source() != home) {
            throw new IllegalStateException("a partition of " + store.name() + " is not in its "
                    + (home == RingEpoch.OLD ? "old" : "new") + " home: run the move again");
        }
    }

    /** Returns where a partition is, or {@code null} while it moves. */
    @Nullable
    RingEpoch home(String partitionKey) {
        PlaceRow row = store.place(RingEpoch.OLD, partitionKey);
        if (row == null) {
            return description.phase().home();
        }
        return row.isOpen() ? row.source() : null;
    }
}
