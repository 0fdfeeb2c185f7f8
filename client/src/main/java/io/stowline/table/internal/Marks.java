package io.stowline.table.internal;

import io.stowline.outcome.Marking;
import java.util.List;

/** Which operations leave a mark by which they are known again. */
final class Marks {

    /** The operation of a batch that leaves a mark for all of it, or none. */
    static final int NOBODY = -1;

    private Marks() {}

    /** Whether an operation that travels alone leaves a mark. */
    static boolean leaves(EncodedOperation operation, Marking marking) {
        return operation.markable()
                && switch (marking) {
                    case CLAIMS -> false;
                    case DECISIVE -> operation.bound();
                    case ALL -> !operation.verb().upsert();
                };
    }

    /**
     * The witness of a batch. One that holds nothing but upserts needs none, for it can be repeated; in any other one operation stands for
     * all, preferably one that nobody is likely to overwrite unseen.
     */
    static int witness(List<EncodedOperation> operations, Marking marking) {
        if (marking == Marking.CLAIMS
                || operations.stream().allMatch(operation -> operation.verb().upsert())) {
            return NOBODY;
        }
        int upsert = NOBODY;
        for (int i = 0; i < operations.size(); i++) {
            EncodedOperation operation = operations.get(i);
            if (operation.markable() && !operation.verb().upsert()) {
                return i;
            }
            if (operation.markable() && upsert == NOBODY) {
                upsert = i;
            }
        }
        return upsert;
    }
}
