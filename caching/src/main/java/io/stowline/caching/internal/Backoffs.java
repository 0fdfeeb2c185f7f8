package io.stowline.caching.internal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.stowline.caching.CacheKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** When a key may be asked about once more behind stale answers: one request at a time, and after failures 1, 2, 4 … 64 seconds later. */
final class Backoffs {

    private static final int REMEMBERED = 10_000;
    private static final int DOUBLINGS = 6;

    private final Cache<CacheKey, Failures> failures = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .executor(Runnable::run)
            .build();
    private final Set<CacheKey> underWay = ConcurrentHashMap.newKeySet();

    private record Failures(int count, long until) {}

    /** Takes the key's turn if it may be asked about now; whoever has it ends it. */
    boolean take(CacheKey key, Moment now) {
        Failures before = failures.getIfPresent(key);
        return (before == null || now.nanos() >= before.until) && underWay.add(key);
    }

    void succeeded(CacheKey key) {
        failures.invalidate(key);
        underWay.remove(key);
    }

    void failed(CacheKey key, Moment now) {
        Failures before = failures.getIfPresent(key);
        int count = before == null ? 0 : Math.min(before.count + 1, DOUBLINGS);
        failures.put(key, new Failures(count, now.nanos() + TimeUnit.SECONDS.toNanos(1L << count)));
        underWay.remove(key);
    }
}
