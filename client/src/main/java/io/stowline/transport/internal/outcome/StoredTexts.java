package io.stowline.transport.internal.outcome;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names and values that the service holds, as the SDK's models give them: the map may be missing, and an empty value is {@code null} there.
 * The rules for new ones do not apply.
 */
public final class StoredTexts {

    private StoredTexts() {}

    /** Returns metadata with names in any case, as they are to the service. Immutable. */
    public static Map<String, String> metadata(@Nullable Map<String, String> read) {
        if (read == null || read.isEmpty()) {
            return Map.of();
        }
        return Collections.unmodifiableMap(into(new TreeMap<>(String.CASE_INSENSITIVE_ORDER), read));
    }

    /** Tags. Immutable. */
    public static Map<String, String> tags(@Nullable Map<String, String> read) {
        return Map.copyOf(into(new HashMap<>(), read));
    }

    /** Returns the value that metadata have under a name, in any case, or {@code null} if they have none. */
    static @Nullable String value(@Nullable Map<String, String> read, String name) {
        return metadata(read).get(name);
    }

    private static Map<String, String> into(Map<String, String> texts, @Nullable Map<String, String> read) {
        if (read != null) {
            read.forEach((name, value) -> {
                if (name != null) {
                    texts.put(name, value == null ? "" : value);
                }
            });
        }
        return texts;
    }
}
