package io.stowline.queue.internal;

import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.MetadataMark;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The service's rules for metadata: names are C# identifiers whose case does not tell them apart, and both names and values travel as
 * headers (its page "Naming queues and metadata").
 */
final class QueueMetadata {

    static final int MAX_BYTES = StorageLimits.METADATA_MAX_BYTES;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7E]([\\x20-\\x7E]*[\\x21-\\x7E])?");

    private QueueMetadata() {}

    static Map<String, String> check(Map<String, String> metadata) {
        Objects.requireNonNull(metadata, "metadata");
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        int size = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            checkName(entry.getKey(), names);
            checkValue(entry.getKey(), entry.getValue());
            size += entry.getKey().length() + entry.getValue().length();
        }
        if (size > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the metadata has " + size + " bytes in names and values; the limit is " + MAX_BYTES);
        }
        return Map.copyOf(metadata);
    }

    private static void checkName(String name, Set<String> names) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "metadata name '" + name + "' must be a C# identifier: a letter or _, then letters, digits and _");
        }
        if (MetadataMark.is(name)) {
            throw new IllegalArgumentException(
                    "metadata name '" + name + "' is reserved: making a queue leaves its mark under it");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException(
                    "metadata name '" + name + "' is there twice: the service does not tell names apart by case");
        }
    }

    private static void checkValue(String name, String value) {
        if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("the value of metadata '" + name + "' (" + value.length()
                    + " characters) must be visible ASCII, with blanks only between: it travels as a header");
        }
    }
}
