package io.stowline.caching.internal.engine;

import io.stowline.caching.Freshness;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import java.util.function.Predicate;

/**
 * A read, with its key, its freshness and its loader.
 *
 * @param freshness the bounds of the response's age
 * @param loader sends the request
 * @param unavailable whether a failure of the loader means that the service is unavailable
 */
public record CacheRead(CacheKey key, Freshness freshness, Loader loader, Predicate<Throwable> unavailable) {}
