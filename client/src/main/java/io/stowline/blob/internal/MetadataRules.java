package io.stowline.blob.internal;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The service's rules for metadata (its page "Setting and retrieving properties and metadata for Blob resources"). */
public final class MetadataRules {

    /** The most that all names and values together may hold. */
    static final int MAX_BYTES = 8 * 1024;

    /** C# identifiers, as far as they can be the name of a header. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private MetadataRules() {}

    /**
     * Checks metadata.
     *
     * @param metadata names and values
     * @return a copy of it
     * @throws IllegalArgumentException if a name is no identifier or stands there twice, a value cannot stand in a header, or all of it is
     *     too large
     */
    public static Map<String, String> check(Map<String, String> metadata) {
        Set<String> seen = new HashSet<>();
        int size = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            String name = entry.getKey();
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("the metadata name '" + name
                        + "' must be an identifier: letters, digits and '_', the first no digit");
            }
            if (!seen.add(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "the metadata name '" + name + "' is there twice: the service does not tell cases apart");
            }
            HeaderValues.check("the metadata value of '" + name + "'", entry.getValue());
            size += name.length() + entry.getValue().length();
        }
        if (size > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the metadata has " + size + " bytes in names and values, more than the limit of " + MAX_BYTES);
        }
        return Map.copyOf(metadata);
    }
}
