package io.stowline.table.internal;

import io.stowline.outcome.Marking;

/** The mark of a write in the JSON of an entity: its last property. */
final class Mark {

    private static final int ID_LENGTH = 36;

    /** What it adds to an entity by the service's rule: 8 bytes, the name and 4 + the value, in UTF-16. */
    static final int SIZE = 8 + 2 * Marking.PROPERTY.length() + 4 + 2 * ID_LENGTH;

    private static final String BEFORE = ",\"" + Marking.PROPERTY + "\":\"";
    private static final String AFTER = "\"}";

    /** What it adds to the JSON. */
    static final int LENGTH = BEFORE.length() + ID_LENGTH + AFTER.length() - 1;

    private Mark() {}

    /** Writes it over the brace that ends the entity, and gives where the entity ends now. */
    static int write(String id, byte[] target, int end) {
        int at = PartFrame.put(BEFORE, target, end - 1);
        return PartFrame.put(AFTER, target, PartFrame.put(id, target, at));
    }
}
