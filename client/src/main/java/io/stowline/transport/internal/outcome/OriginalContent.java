package io.stowline.transport.internal.outcome;

import io.stowline.transport.StorageLimits;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The facts of content before its compression, in the metadata of its blob: a file is compared with them. Users never see them. Immutable.
 *
 * @param length its bytes
 * @param stored the bytes of the compressed content that they belong to
 * @param md5 its MD5 in Base64
 */
public record OriginalContent(long length, long stored, String md5) {

    /** The name of the facts in the metadata; users cannot have it. */
    public static final String NAME = "stowlinegzip";

    private static final Pattern VALUE = Pattern.compile("(\\d{1,18}) (\\d{1,18}) ([A-Za-z0-9+/]{22}==)");

    /**
     * Returns whether a name is that of the facts.
     *
     * @param name a name, in any case
     */
    public static boolean is(String name) {
        return NAME.equals(name.toLowerCase(Locale.ROOT));
    }

    /** Adds the facts, unless the other metadata leave no room for them. */
    public Map<String, String> in(Map<String, String> metadata) {
        return with(metadata, NAME, length + " " + stored + " " + md5);
    }

    /** Adds an entry, unless the others leave no room for it. */
    static Map<String, String> with(Map<String, String> metadata, String name, String value) {
        int size = name.length() + value.length();
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            size += entry.getKey().length() + entry.getValue().length();
        }
        if (size > StorageLimits.METADATA_MAX_BYTES) {
            return metadata;
        }
        Map<String, String> more = new HashMap<>(metadata);
        more.put(name, value);
        return Map.copyOf(more);
    }

    /**
     * Returns the facts in metadata, if there are some.
     *
     * @param metadata what was read
     * @return the facts, or {@code null} where there are none that can be read
     */
    public static @Nullable OriginalContent of(@Nullable Map<String, String> metadata) {
        String value = StoredTexts.value(metadata, NAME);
        Matcher parts = VALUE.matcher(value == null ? "" : value);
        return parts.matches()
                ? new OriginalContent(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)), parts.group(3))
                : null;
    }
}
