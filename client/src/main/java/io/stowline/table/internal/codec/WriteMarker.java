package io.stowline.table.internal.codec;

import io.stowline.outcome.WriteMarkers;
import io.stowline.table.internal.json.AsciiCopier;

/** The mark of a write in the JSON of an entity: its last property. */
public final class WriteMarker {

    private static final int ID_LENGTH = 36;

    /** What it adds to an entity by the service's rule: 8 bytes, the name and 4 + the value, in UTF-16. */
    public static final int SIZE = 8 + 2 * WriteMarkers.PROPERTY.length() + 4 + 2 * ID_LENGTH;

    private static final String BEFORE = ",\"" + WriteMarkers.PROPERTY + "\":\"";
    private static final String AFTER = "\"}";

    /** What it adds to the JSON. */
    public static final int LENGTH = BEFORE.length() + ID_LENGTH + AFTER.length() - 1;

    private WriteMarker() {}

    /** Writes it over the brace that ends the entity, and gives where the entity ends now. */
    public static int write(String id, byte[] target, int end) {
        int at = AsciiCopier.put(BEFORE, target, end - 1);
        return AsciiCopier.put(AFTER, target, AsciiCopier.put(id, target, at));
    }
}
