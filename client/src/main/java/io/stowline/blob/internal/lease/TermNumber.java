package io.stowline.blob.internal.lease;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The number of a term in the metadata of a blob: of the election, which counts terms, and of each blob that a term has fenced. */
final class TermNumber {

    private static final String NAME = "stowlineterm";

    private TermNumber() {}

    /**
     * Returns the stored number; zero if there is none.
     *
     * @throws IllegalStateException if the stored text is no number of a term
     */
    static long in(String resource, Map<String, String> metadata) {
        String stored = stored(metadata);
        try {
            long number = Long.parseLong(stored);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(resource, stored, e);
        }
        throw refused(resource, stored, null);
    }

    /**
     * Returns the number that follows the stored one.
     *
     * @throws IllegalStateException if the stored text is no number of a term, or the last one
     */
    static long next(String resource, Map<String, String> metadata) {
        long last = in(resource, metadata);
        if (last == Long.MAX_VALUE) {
            throw new IllegalStateException("the metadata " + NAME + " of " + resource + " is '" + last
                    + "', after which there is no larger number for a term; mend it by hand");
        }
        return last + 1;
    }

    private static String stored(Map<String, String> metadata) {
        Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(metadata);
        return sorted.getOrDefault(NAME, "0");
    }

    private static IllegalStateException refused(String resource, String stored, @Nullable Throwable cause) {
        return new IllegalStateException(
                "the metadata " + NAME + " of " + resource + " is '" + stored + "', not the number of a term: 0 to "
                        + Long.MAX_VALUE,
                cause);
    }

    /** Returns the metadata with another number. */
    static Map<String, String> set(Map<String, String> metadata, long number) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(metadata);
        all.put(NAME, Long.toString(number));
        return all;
    }
}
