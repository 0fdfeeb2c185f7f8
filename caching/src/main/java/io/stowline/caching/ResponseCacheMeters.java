package io.stowline.caching;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import java.util.Locale;
import java.util.Objects;

/**
 * The meters of a cache: the ones that every cache has in Micrometer, {@code cache.gets} and so on, and these.
 *
 * <pre>
 * stowline.cache.reads{outcome}              reads by outcome: hit, revalidated, refreshed, stale, collapsed, miss
 * stowline.cache.failed.revalidations        requests behind stale responses that have failed
 * stowline.cache.faults                      faults of the cache itself
 * stowline.cache.memory                      bytes that responses take in memory
 * </pre>
 *
 * <p>In {@code cache.gets} a hit is a read that needed no body from the service. Needs Micrometer; nothing else of the cache does.
 */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
public final class ResponseCacheMeters extends CacheMeterBinder<ResponseCache> {

    /**
     * Meters, to be bound to a registry.
     *
     * @param cache the cache, which they do not keep from being collected
     * @param name the value of the tag {@code cache}
     * @param tags further tags
     */
    public ResponseCacheMeters(ResponseCache cache, String name, Iterable<Tag> tags) {
        super(Objects.requireNonNull(cache, "cache"), name, tags);
    }

    @Override
    protected Long size() {
        return count(CacheCounter.ENTRIES);
    }

    @Override
    protected long hitCount() {
        return reads(CacheOutcome.HIT)
                + reads(CacheOutcome.REVALIDATED)
                + reads(CacheOutcome.STALE)
                + reads(CacheOutcome.COLLAPSED);
    }

    @Override
    protected Long missCount() {
        return reads(CacheOutcome.MISS) + reads(CacheOutcome.REFRESHED);
    }

    @Override
    protected Long evictionCount() {
        return count(CacheCounter.EVICTIONS);
    }

    @Override
    protected long putCount() {
        return count(CacheCounter.PUTS);
    }

    @Override
    protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
        ResponseCache cache = getCache();
        if (cache == null) {
            return;
        }
        for (CacheOutcome outcome : CacheOutcome.values()) {
            FunctionCounter.builder("stowline.cache.reads", cache, each -> each.reads(outcome))
                    .tags(getTagsWithCacheName())
                    .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                    .description("reads by outcome")
                    .register(registry);
        }
        counter(
                        cache,
                        "stowline.cache.failed.revalidations",
                        CacheCounter.FAILED_REFRESHES,
                        "requests behind stale responses that have failed")
                .register(registry);
        counter(cache, "stowline.cache.faults", CacheCounter.FAULTS, "what went wrong in the cache itself")
                .register(registry);
        Gauge.builder("stowline.cache.memory", cache, each -> count(each, CacheCounter.MEMORY_BYTES))
                .tags(getTagsWithCacheName())
                .baseUnit("bytes")
                .description("bytes that responses take in memory")
                .register(registry);
    }

    private FunctionCounter.Builder<ResponseCache> counter(
            ResponseCache cache, String name, CacheCounter what, String description) {
        return FunctionCounter.builder(name, cache, each -> count(each, what))
                .tags(getTagsWithCacheName())
                .description(description);
    }

    private long reads(CacheOutcome outcome) {
        ResponseCache cache = getCache();
        return cache == null ? 0 : cache.reads(outcome);
    }

    private long count(CacheCounter what) {
        ResponseCache cache = getCache();
        return cache == null ? 0 : count(cache, what);
    }

    private static long count(ResponseCache cache, CacheCounter what) {
        return CacheEngine.of(cache).count(what);
    }
}
