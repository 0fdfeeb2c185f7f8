package io.stowline.blob.internal;

import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.MetadataMark;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** The service's rules for metadata (its page "Setting and retrieving properties and metadata for Blob resources"). */
public final class MetadataRules {

    /** The most that all names and values together may hold. */
    static final int MAX_BYTES = StorageLimits.METADATA_MAX_BYTES;

    /** The same where a mark stands beside them. */
    static final int MAX_BYTES_MARKED = MAX_BYTES - MetadataMark.SIZE;

    /** C# identifiers, as far as they can be the name of a header. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private MetadataRules() {}

    /** Checks metadata that is sent as it is. */
    static Map<String, String> check(Map<String, String> metadata) {
        return check(metadata, MAX_BYTES);
    }

    /**
     * Checks metadata that a mark may be sent with.
     *
     * @param metadata names and values
     * @return a copy of it
     * @throws IllegalArgumentException if a name is no identifier, stands there twice or is that of the mark, a value cannot stand in a
     *     header, or all of it is too large
     */
    public static Map<String, String> checkMarked(Map<String, String> metadata) {
        return check(metadata, MAX_BYTES_MARKED);
    }

    private static Map<String, String> check(Map<String, String> metadata, int most) {
        Objects.requireNonNull(metadata, "metadata");
        Set<String> seen = new HashSet<>();
        int size = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            String name = entry.getKey();
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("the metadata name '" + name
                        + "' must be an identifier: letters, digits and '_', the first no digit");
            }
            if (MetadataMark.is(name)) {
                throw new IllegalArgumentException("the metadata name '" + name
                        + "' is reserved: uploads and other writes leave their mark under it");
            }
            if (!seen.add(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "the metadata name '" + name + "' is there twice: the service does not tell cases apart");
            }
            HeaderValues.check("the metadata value of '" + name + "'", entry.getValue());
            size += name.length() + entry.getValue().length();
        }
        if (size > most) {
            throw new IllegalArgumentException(
                    "the metadata has " + size + " bytes in names and values, more than the limit of " + most);
        }
        return Map.copyOf(metadata);
    }
}
