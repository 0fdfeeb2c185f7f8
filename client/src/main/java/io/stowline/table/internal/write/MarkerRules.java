package io.stowline.table.internal.write;

import io.stowline.outcome.WriteMarkers;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import java.util.List;

/** The choice of the operations that leave a marker, by which they are identified. */
public final class MarkerRules {

    /** The operation of a batch that leaves a marker for all of it, or none. */
    static final int NO_WITNESS = -1;

    /** The verbs of a witness, the best first. */
    private static final List<EntityVerb> RANKS = List.of(
            EntityVerb.INSERT,
            EntityVerb.REPLACE,
            EntityVerb.INSERT_OR_REPLACE,
            EntityVerb.MERGE,
            EntityVerb.INSERT_OR_MERGE);

    private MarkerRules() {}

    /** Returns whether a single operation leaves a marker. */
    public static boolean leaves(EncodedOperation operation, WriteMarkers markers) {
        return operation.markable()
                && switch (markers) {
                    case CLAIMS -> false;
                    case DECISIVE -> operation.bound();
                    case ALL -> !operation.verb().upsert();
                };
    }

    /**
     * Returns the index of a batch's witness.
     *
     * @param merges whether one may be that adds to what is there
     */
    static int witness(List<EncodedOperation> operations, WriteMarkers markers, boolean merges) {
        if (markers == WriteMarkers.CLAIMS || areUpserts(operations)) {
            return NO_WITNESS;
        }
        int best = NO_WITNESS;
        int rank = merges ? RANKS.size() : RANKS.indexOf(EntityVerb.MERGE);
        for (int i = 0; i < operations.size(); i++) {
            int own = RANKS.indexOf(operations.get(i).verb());
            if (operations.get(i).markable() && own >= 0 && own < rank) {
                best = i;
                rank = own;
            }
        }
        return best;
    }

    /** Returns whether a batch has only upserts. */
    static boolean areUpserts(List<EncodedOperation> operations) {
        for (EncodedOperation operation : operations) {
            if (!operation.verb().upsert()) {
                return false;
            }
        }
        return true;
    }
}
