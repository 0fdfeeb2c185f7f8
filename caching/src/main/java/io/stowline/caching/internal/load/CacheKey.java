package io.stowline.caching.internal.load;

import java.util.Objects;

/**
 * The key of a cached response. Two reads share a response only if all three parts are equal.
 *
 * @param scope a digest of account and credential, so that no caller is given what another was allowed to read; never a secret itself,
 *     for it is written to disk
 * @param resource the name of the resource, without what varies between reads of it; a write invalidates by this name
 * @param variant the snapshot or version, range, projection and form of the response; may be empty
 */
public record CacheKey(String scope, String resource, String variant) {

    public CacheKey {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(variant, "variant");
    }
}
