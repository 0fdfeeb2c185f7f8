package io.stowline.blob.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The id of a write in the metadata that it leaves, by which it is known again after a lost answer. Users never see it. */
final class Mark {

    static final String NAME = "stowlinewrite";

    private static final int ID_LENGTH = 36;

    /** What it adds to the names and values of metadata. */
    static final int SIZE = NAME.length() + ID_LENGTH;

    private Mark() {}

    static String newId() {
        return UUID.randomUUID().toString();
    }

    static Map<String, String> in(Map<String, String> metadata, String id) {
        Map<String, String> marked = new HashMap<>(metadata);
        marked.put(NAME, id);
        return marked;
    }

    static boolean is(String name) {
        return NAME.equalsIgnoreCase(name);
    }

    /** The id that stands in metadata, if one does. */
    static @Nullable String of(@Nullable Map<String, String> metadata) {
        return metadata == null
                ? null
                : metadata.entrySet().stream()
                        .filter(entry -> is(entry.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(null);
    }

    /** Metadata as its owner wrote it. */
    static Map<String, String> hiddenIn(@Nullable Map<String, String> metadata) {
        if (metadata == null) {
            return Map.of();
        }
        Map<String, String> shown = new HashMap<>(metadata);
        shown.keySet().removeIf(Mark::is);
        return Map.copyOf(shown);
    }
}
