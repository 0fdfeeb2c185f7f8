package io.stowline.caching;

/** The way in which the cache served a read. */
public enum CacheOutcome {
    /** Read from the cache, within its freshness window: no request. */
    HIT,
    /**
     * Read from the cache, after the service confirmed it as current: a request without a transfer, or one with the
     * same version.
     */
    REVALIDATED,
    /** Read from the service, with a newer version than the cache had. */
    REFRESHED,
    /** Read from the cache, beyond its freshness window: while a revalidation runs, or because it failed. */
    STALE,
    /** Read by a request that another reader had begun. */
    COLLAPSED,
    /** Read from the service: the cache had nothing. */
    MISS
}
