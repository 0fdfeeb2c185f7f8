package io.stowline.caching.internal.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.load.CacheKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The times at which a key may be loaded again behind stale responses: one request at a time, and after failures 1, 2,
 * 4 … 64 seconds later.
 */
public final class KeyBackoffs {

    private static final int REMEMBERED = 10_000;
    private static final int DOUBLINGS = 6;

    private final Cache<CacheKey, Failures> failures = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .executor(Runnable::run)
            .build();
    private final Set<CacheKey> underWay = ConcurrentHashMap.newKeySet();

    private record Failures(int count, long until) {}

    /** Takes the key's turn if it may be loaded now; its holder ends it. */
    public boolean take(CacheKey key, ClockReading now) {
        Failures before = failures.getIfPresent(key);
        return (before == null || now.nanos() >= before.until) && underWay.add(key);
    }

    public void succeeded(CacheKey key) {
        failures.invalidate(key);
        underWay.remove(key);
    }

    public void failed(CacheKey key, ClockReading now) {
        Failures before = failures.getIfPresent(key);
        int count = before == null ? 0 : Math.min(before.count + 1, DOUBLINGS);
        failures.put(key, new Failures(count, now.nanos() + TimeUnit.SECONDS.toNanos(1L << count)));
        underWay.remove(key);
    }

    /** The keys for which the service was unavailable in the last seconds. Thread-safe. */
    static final class KeyOutages {

        /**
         * The seconds for which a failure is remembered; the documentation of {@code Freshness} and the docs state
         * them.
         */
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
}
