package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.load.CacheKey;
import org.jspecify.annotations.Nullable;

/** A key as one text, from which it can be read again. */
public final class CacheKeyText {

    private CacheKeyText() {}

    public static String of(CacheKey key) {
        return key.scope().length() + ":" + key.resource().length() + ":" + key.scope() + key.resource()
                + key.variant();
    }

    /** Returns the key, or null if the text is none: another version may have left it on disk. */
    public static @Nullable CacheKey key(String text) {
        try {
            return parsed(text);
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            return null;
        }
    }

    private static CacheKey parsed(String text) {
        int first = text.indexOf(':');
        int second = text.indexOf(':', first + 1);
        int resource = second + 1 + Integer.parseInt(text.substring(0, first));
        int variant = resource + Integer.parseInt(text.substring(first + 1, second));
        return new CacheKey(
                text.substring(second + 1, resource), text.substring(resource, variant), text.substring(variant));
    }
}
