package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheKey;
import io.stowline.caching.Freshness;
import io.stowline.caching.Loader;
import java.util.function.Predicate;

/**
 * What a reader wants.
 *
 * @param key of what
 * @param freshness how old the answer may be
 * @param loader asks the service
 * @param unavailable whether a failure of the loader says that the service cannot be asked
 */
public record CacheRead(CacheKey key, Freshness freshness, Loader loader, Predicate<Throwable> unavailable) {}
