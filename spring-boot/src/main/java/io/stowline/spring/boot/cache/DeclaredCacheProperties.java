package io.stowline.spring.boot.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of one cache. Immutable and thread-safe.
 *
 * @param type Class of the values.
 * @param timeToLive Time after which an entry is a miss.
 * @param freshness How long an entry that was read is given from memory before it is revalidated; without it each read is a request.
 * @param staleIfError How long after that an entry is given from memory while the storage fails.
 */
record DeclaredCacheProperties(
        @Nullable Class<?> type,
        @Nullable Duration timeToLive,
        @Nullable Duration freshness,
        @Nullable Duration staleIfError) {}
