package io.stowline.blob.internal.rule;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.InvalidKeyException;
import io.stowline.transport.StorageLimits;
import java.util.Locale;
import java.util.Objects;

/** The service's rules for names of blobs (its page on naming), and of what addresses lose on their way. Stateless. */
public final class BlobNameRules {

    private BlobNameRules() {}

    /**
     * Checks the name of a blob.
     *
     * @throws IllegalArgumentException if it is none; its cause, or itself, is an {@link InvalidKeyException}, which does not have the name
     */
    public static String check(String name) {
        int max = StorageLimits.BLOB_NAME_MAX_CHARS;
        Objects.requireNonNull(name, "name");
        if (name.isEmpty() || name.length() > max) {
            throw refused(
                    "a blob name has 1 to " + max + " characters, not " + name.length(),
                    name.isEmpty() ? "" : ": '" + beginning(name) + "...'");
        }
        refuseHalfCharacters(name);
        String[] segments = name.split("/", -1);
        if (segments.length > StorageLimits.BLOB_NAME_MAX_SEGMENTS) {
            throw refused(
                    "a blob name has at most " + StorageLimits.BLOB_NAME_MAX_SEGMENTS + " segments between '/', not "
                            + segments.length,
                    ": '" + beginning(name) + "...'");
        }
        for (String segment : segments) {
            if (segment.equals(".") || segment.equals("..")) {
                throw refused(
                        "the segment '" + segment + "' in a blob name would be taken out of the address on its way",
                        ": '" + PrintableText.of(name) + "'");
            }
        }
        return name;
    }

    private static String beginning(String name) {
        return PrintableText.of(name.substring(0, Math.min(40, name.length())));
    }

    /** The name itself is for the log only: it may name a person. */
    private static IllegalArgumentException refused(String reason, String name) {
        return new IllegalArgumentException(reason + name, new InvalidKeyException(reason));
    }

    /** Half characters have no form in UTF-8: each would become the same question mark, and two names one. */
    private static void refuseHalfCharacters(String name) {
        for (int i = 0; i < name.length(); i++) {
            int c = name.codePointAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw new InvalidKeyException(
                        "the blob name has half a character (U+" + String.format(Locale.ROOT, "%04X", c) + ") at " + i);
            }
            i += Character.charCount(c) - 1;
        }
    }
}
