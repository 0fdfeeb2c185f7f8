package io.stowline.blob.internal;

import io.stowline.transport.StorageLimits;
import java.util.Objects;

/** The service's rule for names of blobs (its page "Naming and referencing containers, blobs, and metadata"). */
final class BlobNames {

    private static final int MAX_LENGTH = StorageLimits.BLOB_NAME_MAX_CHARS;
    private static final int MAX_SEGMENTS = StorageLimits.BLOB_NAME_MAX_SEGMENTS;

    private BlobNames() {}

    static String check(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty() || name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a blob name has 1 to " + MAX_LENGTH + " characters, not "
                    + name.length() + (name.isEmpty() ? "" : ": '" + name.substring(0, 40) + "...'"));
        }
        refuseHalfCharacters(name);
        String[] segments = name.split("/", -1);
        if (segments.length > MAX_SEGMENTS) {
            throw new IllegalArgumentException(
                    "a blob name has at most " + MAX_SEGMENTS + " segments between '/', not " + segments.length);
        }
        for (String segment : segments) {
            if (segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException("the segment '" + segment + "' in the blob name '" + name
                        + "' would be taken out of the address on its way");
            }
        }
        return name;
    }

    /** They have no form in UTF-8: each would become the same question mark, and two names one. */
    private static void refuseHalfCharacters(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < name.length()
                    && Character.isLowSurrogate(name.charAt(i + 1));
            if (Character.isSurrogate(c) && !pair) {
                throw new IllegalArgumentException(
                        "the blob name has half a character (U+" + String.format("%04X", (int) c) + ") at " + i);
            }
            if (pair) {
                i++;
            }
        }
    }
}
