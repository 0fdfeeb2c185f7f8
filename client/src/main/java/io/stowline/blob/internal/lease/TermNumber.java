package io.stowline.blob.internal.lease;

import java.util.Map;
import java.util.TreeMap;

/** The number of a term in the metadata of a blob: of the election, which counts terms, and of each blob that a term has fenced. */
final class TermNumber {

    private static final String NAME = "stowlineterm";

    private TermNumber() {}

    /**
     * Returns the stored number; zero if there is none.
     *
     * @throws IllegalStateException if the stored text is no number
     */
    static long in(String resource, Map<String, String> metadata) {
        Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(metadata);
        String stored = sorted.getOrDefault(NAME, "0");
        try {
            return Long.parseLong(stored);
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    "the metadata " + NAME + " of " + resource + " is '" + stored + "', not the number of a term", e);
        }
    }

    /** Returns the metadata with another number. */
    static Map<String, String> set(Map<String, String> metadata, long number) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(metadata);
        all.put(NAME, Long.toString(number));
        return all;
    }
}
