package io.stowline.caching.internal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.stowline.caching.CacheKey;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Answers in memory, weighed in bytes. What is read least goes first. Thread-safe. */
final class MemoryTier {

    private static final int OVERHEAD = 256;

    private final Cache<CacheKey, Kept> cache;
    private final Stamps stamps;
    private final Watch watch;
    private final long largest;
    private volatile boolean closed;
    private final LongAdder puts = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    private record Kept(Head head, MemoryBody body) {}

    MemoryTier(long bytes, long largest, Stamps stamps, Watch watch) {
        this.stamps = stamps;
        this.watch = watch;
        this.largest = Math.min(largest, bytes);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher(MemoryTier::weigh)
                .evictionListener((key, kept, cause) -> evictions.increment())
                .executor(Runnable::run)
                .build();
    }

    private static int weigh(CacheKey key, Kept kept) {
        return (int) Math.min(Integer.MAX_VALUE, weight(key, kept.head, kept.body.length()));
    }

    /** How long the body of an answer with this head may be. */
    long roomFor(CacheKey key, Head head) {
        return largest - weight(key, head, 0);
    }

    @Nullable
    Held find(CacheKey key) {
        Kept kept = cache.getIfPresent(key);
        return kept == null ? null : new Held(kept.head, kept.body);
    }

    /** Keeps an answer, in the place of the one before, unless a later load has taken over. */
    void put(CacheKey key, Head head, MemoryBody body) {
        if (body.length() > roomFor(key, head)) {
            remove(key, head.stamp());
            return;
        }
        cache.asMap().compute(key, (same, before) -> {
            if (closed || !isCurrent(key, head.stamp())) {
                return before;
            }
            puts.increment();
            return new Kept(head, body);
        });
        if (closed) {
            cache.invalidate(key);
        }
    }

    /** Removes what is there, which a load has shown to be out of date, unless a later one has taken over. */
    void remove(CacheKey key, Stamp stamp) {
        cache.asMap().computeIfPresent(key, (same, before) -> isCurrent(key, stamp) ? null : before);
    }

    private boolean isCurrent(CacheKey key, Stamp stamp) {
        return stamps.current(key.resource(), stamp, watch.now());
    }

    void removeAll(String prefix) {
        cache.asMap().keySet().removeIf(key -> key.resource().startsWith(prefix));
    }

    /** Gives all of it back; nothing is kept from now on. */
    void close() {
        closed = true;
        cache.invalidateAll();
    }

    long size() {
        return cache.estimatedSize();
    }

    long puts() {
        return puts.sum();
    }

    long evictions() {
        return evictions.sum();
    }

    long bytes() {
        return cache.policy()
                .eviction()
                .map(bound -> bound.weightedSize().orElse(0))
                .orElse(0L);
    }

    private static long weight(CacheKey key, Head head, long body) {
        int texts =
                key.scope().length() + key.resource().length() + key.variant().length();
        return OVERHEAD + texts + head.weight() + body;
    }
}
