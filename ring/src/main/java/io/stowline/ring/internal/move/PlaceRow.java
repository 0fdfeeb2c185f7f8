package io.stowline.ring.internal.move;

import io.stowline.ring.internal.place.ReservedRows;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row in a partition that changes its home. The one in the old home decides where the partition is; the one in the new home only orders
 * what happens there. Beside it stands at most one fence row, whose name no other fence ever has.
 *
 * @param stage what may be done with the partition
 * @param fence the name of the fence that belongs to this stage
 * @param term the number of the mover, or that of the description by which a writer made the row
 * @param etag the version that was read; empty for a row to be written
 */
public record PlaceRow(PlaceStage stage, String fence, long term, String etag) {

    /** The row key of a place row in either home. */
    public static final String KEY = ReservedRows.PREFIX + "place";

    private static final String OPEN_PREFIX = ReservedRows.PREFIX + "open.";
    private static final String COPY_PREFIX = ReservedRows.PREFIX + "copy.";

    /** The stage of a partition: the first four are written in its old home, the others in its new one. */
    public enum PlaceStage {
        /** The partition is in its old home. */
        OLD,
        /** The partition is frozen in its old home, and is copied to the new one. */
        TO_NEW,
        /** The partition is in its new home. */
        NEW,
        /** The partition is copied from its new home to the old one. */
        TO_OLD,
        /** The new home gets a copy. */
        COPYING,
        /** The new home may be written, once the place row in the old home names it. */
        OPEN,
        /** The rows in the new home are frozen or leftovers. */
        LEFT
    }

    /** Returns a row to be written with a fence of a new name. */
    static PlaceRow fresh(PlaceStage stage, long term) {
        return new PlaceRow(stage, UUID.randomUUID().toString(), term, "");
    }

    /** Returns this row in another stage of the same fence. */
    PlaceRow at(PlaceStage next, long mover) {
        return new PlaceRow(next, fence, mover, "");
    }

    /** Returns the epoch in whose home the partition is read: the source while it moves. */
    public RingEpoch source() {
        return stage == PlaceStage.OLD || stage == PlaceStage.TO_NEW ? RingEpoch.OLD : RingEpoch.NEW;
    }

    /** Returns whether the partition may be written. */
    public boolean isOpen() {
        return stage == PlaceStage.OLD || stage == PlaceStage.NEW;
    }

    /** Returns the key of the row that each write of an application merges. */
    public String openRow() {
        return OPEN_PREFIX + fence;
    }

    /** Returns the key of the row that each write of the mover merges. */
    public String copyRow() {
        return COPY_PREFIX + fence;
    }

    /** Returns the key of the fence row that stands beside this row, if there is one. */
    public @Nullable String fenceRow() {
        return switch (stage) {
            case OLD, OPEN -> openRow();
            case TO_OLD, COPYING -> copyRow();
            case TO_NEW, NEW, LEFT -> null;
        };
    }

    /** Returns whether another row has the same stage and fence, whatever its version. */
    boolean isLike(@Nullable PlaceRow other) {
        return other != null && stage == other.stage && fence.equals(other.fence);
    }
}
