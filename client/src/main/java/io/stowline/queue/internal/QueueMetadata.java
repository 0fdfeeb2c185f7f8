package io.stowline.queue.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The service's rules for metadata: names are C# identifiers whose case does not tell them apart, and both names and values travel as
 * headers (its page "Naming queues and metadata").
 */
final class QueueMetadata {

    static final int MAX_BYTES = 8 * 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7E]([\\x20-\\x7E]*[\\x21-\\x7E])?");

    /** The name of the mark that a call leaves in the queue that it makes; users never see it. */
    private static final String MARK = "stowlinewrite";

    private QueueMetadata() {}

    static Map<String, String> mark(String id) {
        return Map.of(MARK, id);
    }

    static boolean isMarked(Map<String, String> metadata, String id) {
        return metadata.entrySet().stream()
                .anyMatch(entry -> entry.getKey().equalsIgnoreCase(MARK)
                        && entry.getValue().equals(id));
    }

    /** Metadata as its owner wrote it. */
    static Map<String, String> shown(Map<String, String> metadata) {
        Map<String, String> shown = new HashMap<>(metadata);
        shown.keySet().removeIf(MARK::equalsIgnoreCase);
        return Map.copyOf(shown);
    }

    static Map<String, String> check(Map<String, String> metadata) {
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
        if (name.equalsIgnoreCase(MARK)) {
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
