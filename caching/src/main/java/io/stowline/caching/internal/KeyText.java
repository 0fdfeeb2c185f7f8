package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;

/** A key as one text, from which it can be told again. */
final class KeyText {

    private KeyText() {}

    static String of(CacheKey key) {
        return key.scope().length() + ":" + key.resource().length() + ":" + key.scope() + key.resource()
                + key.variant();
    }

    static CacheKey key(String text) {
        int first = text.indexOf(':');
        int second = text.indexOf(':', first + 1);
        int resource = second + 1 + Integer.parseInt(text.substring(0, first));
        int variant = resource + Integer.parseInt(text.substring(first + 1, second));
        return new CacheKey(
                text.substring(second + 1, resource), text.substring(resource, variant), text.substring(variant));
    }
}
