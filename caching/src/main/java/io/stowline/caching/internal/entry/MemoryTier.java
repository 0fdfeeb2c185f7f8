package io.stowline.caching.internal.entry;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.load.CacheKey;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Cached responses in memory, weighed in bytes. The least read are evicted first. Thread-safe. */
public final class MemoryTier {

    private static final int OVERHEAD = 256;

    private final Cache<CacheKey, EntryInMemory> cache;
    private final InvalidationLog stamps;
    private final CacheClock watch;
    private final long largest;
    private volatile boolean closed;
    private final LongAdder puts = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    private record EntryInMemory(EntryHead head, MemoryBody body) {}

    public MemoryTier(long bytes, long largest, InvalidationLog stamps, CacheClock watch) {
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

    private static int weigh(CacheKey key, EntryInMemory kept) {
        return (int) Math.min(Integer.MAX_VALUE, weight(key, kept.head, kept.body.length()));
    }

    /** Returns the room for the body of a response with this head, in bytes. */
    public long roomFor(CacheKey key, EntryHead head) {
        return largest - weight(key, head, 0);
    }

    @Nullable
    CacheHit find(CacheKey key) {
        EntryInMemory kept = cache.getIfPresent(key);
        return kept == null ? null : new CacheHit(kept.head, kept.body);
    }

    /** Puts a response in the place of the previous one, unless a later load has taken over. */
    void put(CacheKey key, EntryHead head, MemoryBody body) {
        if (body.length() > roomFor(key, head)) {
            remove(key, head.stamp());
            return;
        }
        cache.asMap().compute(key, (same, before) -> {
            if (closed || !isCurrent(key, head.stamp())) {
                return before;
            }
            puts.increment();
            return new EntryInMemory(head, body);
        });
        if (closed) {
            cache.invalidate(key);
        }
    }

    /** Removes what is there, which a load has shown to be out of date, unless a later one has taken over. */
    public void remove(CacheKey key, InvalidationStamp stamp) {
        cache.asMap().computeIfPresent(key, (same, before) -> isCurrent(key, stamp) ? null : before);
    }

    private boolean isCurrent(CacheKey key, InvalidationStamp stamp) {
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

    public long size() {
        return cache.estimatedSize();
    }

    public long puts() {
        return puts.sum();
    }

    public long evictions() {
        return evictions.sum();
    }

    public long bytes() {
        return cache.policy()
                .eviction()
                .map(bound -> bound.weightedSize().orElse(0))
                .orElse(0L);
    }

    private static long weight(CacheKey key, EntryHead head, long body) {
        int texts =
                key.scope().length() + key.resource().length() + key.variant().length();
        return OVERHEAD + texts + head.weight() + body;
    }
}
