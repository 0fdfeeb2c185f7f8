package io.stowline.caching.internal.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.stowline.caching.CacheKey;
import io.stowline.caching.internal.entry.ClockReading;
import java.util.concurrent.TimeUnit;

/** Of which keys the service could not be asked in the last seconds. Thread-safe. */
final class KeyOutages {

    /** For how long a failure is remembered; the documentation of {@code Freshness} and the docs state it. */
    static final long SECONDS = 5;

    private static final int REMEMBERED = 10_000;

    private final Cache<CacheKey, Long> until = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .executor(Runnable::run)
            .build();

    void failed(CacheKey key, ClockReading now) {
        until.put(key, now.nanos() + TimeUnit.SECONDS.toNanos(SECONDS));
    }

    void succeeded(CacheKey key) {
        until.invalidate(key);
    }

    boolean remembers(CacheKey key, ClockReading now) {
        Long end = until.getIfPresent(key);
        return end != null && now.nanos() < end;
    }
}
