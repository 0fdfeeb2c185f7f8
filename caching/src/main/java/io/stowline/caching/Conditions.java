package io.stowline.caching;

import org.jspecify.annotations.Nullable;

/**
 * The conditions of a load: the service sends the resource only if it has changed.
 *
 * @param etag the value of {@code If-None-Match}, null if there is none
 * @param lastModified the value of {@code If-Modified-Since}, null if there is an ETag or nothing to compare with
 */
public record Conditions(@Nullable String etag, @Nullable String lastModified) {

    /** No condition: the service sends the resource in any case. */
    public static final Conditions NONE = new Conditions(null, null);

    /**
     * Returns whether there is a condition.
     *
     * @return true if the answer "not modified" is possible
     */
    public boolean any() {
        return etag != null || lastModified != null;
    }
}
