package io.stowline.table.internal.write;

import io.stowline.outcome.WriteMarkers;
import io.stowline.table.EntityVerb;
import io.stowline.table.internal.request.EncodedOperation;
import java.util.List;

/** Which operations leave a mark by which they are known again. */
public final class MarkerRules {

    /** The operation of a batch that leaves a mark for all of it, or none. */
    static final int NO_WITNESS = -1;

    /** Who bears witness, the best first. */
    private static final List<EntityVerb> RANKS = List.of(
            EntityVerb.INSERT,
            EntityVerb.REPLACE,
            EntityVerb.INSERT_OR_REPLACE,
            EntityVerb.MERGE,
            EntityVerb.INSERT_OR_MERGE);

    private MarkerRules() {}

    /** Whether an operation that travels alone leaves a mark. */
    public static boolean leaves(EncodedOperation operation, WriteMarkers markers) {
        return operation.markable()
                && switch (markers) {
                    case CLAIMS -> false;
                    case DECISIVE -> operation.bound();
                    case ALL -> !operation.verb().upsert();
                };
    }

    /**
     * The witness of a batch. One that holds nothing but upserts needs none, for it can be repeated; in any other one operation stands for
     * all, preferably one that other writers are unlikely to overwrite unseen, and whose mark its entity has room for.
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

    /** Whether a batch holds nothing but upserts. */
    static boolean areUpserts(List<EncodedOperation> operations) {
        for (EncodedOperation operation : operations) {
            if (!operation.verb().upsert()) {
                return false;
            }
        }
        return true;
    }
}
