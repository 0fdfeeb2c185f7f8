package io.stowline.table.internal;

import io.stowline.outcome.Marking;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The mark of a write in the JSON of an entity. */
final class Mark {

    private static final int ID_LENGTH = 36;

    /** What it adds to an entity by the service's rule: 8 bytes, the name and 4 + the value, in UTF-16. */
    static final int SIZE = 8 + 2 * Marking.PROPERTY.length() + 4 + 2 * ID_LENGTH;

    private static final String BEFORE = ",\"" + Marking.PROPERTY + "\":\"";
    private static final String AFTER = "\"}\r\n";
    private static final int REPLACED = "}\r\n".length();

    private Mark() {}

    /** The part of an operation with the mark as its last property. */
    static byte[] in(byte[] part, String id) {
        byte[] mark = (BEFORE + id + AFTER).getBytes(StandardCharsets.US_ASCII);
        int kept = part.length - REPLACED;
        byte[] marked = Arrays.copyOf(part, kept + mark.length);
        System.arraycopy(mark, 0, marked, kept, mark.length);
        return marked;
    }
}
