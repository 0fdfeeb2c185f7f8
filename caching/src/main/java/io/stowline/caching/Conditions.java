package io.stowline.caching;

import org.jspecify.annotations.Nullable;

/**
 * What a load is to ask the service under: "only if it is no longer this".
 *
 * @param etag the value of {@code If-None-Match}, null if there is none
 * @param lastModified the value of {@code If-Modified-Since}, null if there is an ETag or nothing to compare with
 */
public record Conditions(@Nullable String etag, @Nullable String lastModified) {

    /** No condition: the answer is wanted whatever it is. */
    public static final Conditions NONE = new Conditions(null, null);

    /**
     * Whether there is something to ask under.
     *
     * @return true if the answer "not modified" is possible
     */
    public boolean any() {
        return etag != null || lastModified != null;
    }
}
