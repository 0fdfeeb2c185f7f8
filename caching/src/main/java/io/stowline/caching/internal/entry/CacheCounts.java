package io.stowline.caching.internal.entry;

import io.stowline.caching.CacheOutcome;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters of a cache, its faults among them. Thread-safe. */
public final class CacheCounts {

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.caching");

    private final Map<CacheOutcome, LongAdder> reads = new EnumMap<>(CacheOutcome.class);
    private final LongAdder failedRefreshes = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final AtomicBoolean complained = new AtomicBoolean();

    public CacheCounts() {
        for (CacheOutcome outcome : CacheOutcome.values()) {
            reads.put(outcome, new LongAdder());
        }
    }

    private LongAdder of(CacheOutcome outcome) {
        return Objects.requireNonNull(reads.get(outcome));
    }

    public void read(CacheOutcome outcome) {
        of(outcome).increment();
    }

    public long reads(CacheOutcome outcome) {
        return of(outcome).sum();
    }

    /** Counts a failed revalidation behind a stale response. */
    public void refreshFailed(String resource, Throwable failure) {
        failedRefreshes.increment();
        LOG.debug("{} could not be revalidated behind a stale response", resource, failure);
    }

    public long failedRefreshes() {
        return failedRefreshes.sum();
    }

    /** Counts and logs that the folder is foreign, in use or broken. */
    public void withoutDisk(Path folder, Exception why) {
        faults.increment();
        LOG.warn("The cache keeps nothing on disk in {}: {}", folder, why.getMessage());
    }

    /** Counts a fault of the cache. The first one is logged at warn, as the next ones are likely to be the same. */
    void fault(String what, Throwable failure) {
        faults.increment();
        if (complained.compareAndSet(false, true)) {
            LOG.warn(
                    "The cache {}; reads go on without. Further faults are counted and logged at debug level",
                    what,
                    failure);
        } else {
            LOG.debug("The cache {}", what, failure);
        }
    }

    public long faults() {
        return faults.sum();
    }

    /** The counters of an engine apart from reads. */
    public enum CacheCounter {
        /** Responses in memory. */
        ENTRIES,
        /** Their bytes. */
        MEMORY_BYTES,
        /** Responses that were put into memory. */
        PUTS,
        /** Responses that gave way to others in memory. */
        EVICTIONS,
        /** Failed requests behind stale responses. */
        FAILED_REFRESHES,
        /** Faults of the cache itself. */
        FAULTS,
        /** Loads that readers may join. */
        LOADS_UNDER_WAY
    }
}
