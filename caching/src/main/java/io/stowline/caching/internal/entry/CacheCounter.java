package io.stowline.caching.internal.entry;

/** What an engine counts apart from reads. */
public enum CacheCounter {
    /** Answers in memory. */
    ENTRIES,
    /** What they weigh. */
    MEMORY_BYTES,
    /** Answers that were put into memory. */
    PUTS,
    /** Answers that gave way to others in memory. */
    EVICTIONS,
    /** Requests behind stale answers that have failed. */
    FAILED_REFRESHES,
    /** What went wrong in the cache itself. */
    FAULTS,
    /** Loads that readers may join. */
    LOADS_UNDER_WAY
}
