package io.stowline.caching;

import java.util.Objects;

/**
 * The key of a cached response. Two reads share a response only if all three parts are equal.
 *
 * @param scope whose answer it is: a digest of the account and of the credential, so that no caller is given what another was allowed to
 *     read; never a secret itself, for it is written to disk
 * @param resource what was read, without what varies between reads of it; a write names this to {@link ResponseCache#invalidate(String)}
 * @param variant what varies: snapshot or version, range, projection, the requested form; may be empty
 */
public record CacheKey(String scope, String resource, String variant) {

    /**
     * Checks that everything is there.
     *
     * @param scope who may see it
     * @param resource what was read
     * @param variant which form of it
     */
    public CacheKey {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(variant, "variant");
    }
}
