package io.stowline.caching;

/** The way in which the cache answered a read. */
public enum CacheOutcome {
    /** From the cache, within its freshness window: no request. */
    HIT,
    /** From the cache, after the service confirmed it as current: a request without a transfer, or one with the same version. */
    REVALIDATED,
    /** By the service, with a newer version than the cache had. */
    REFRESHED,
    /** From the cache, beyond its freshness window: while a revalidation runs, or because it failed. */
    STALE,
    /** By a request that another reader had begun. */
    COLLAPSED,
    /** By the service: the cache had nothing. */
    MISS
}
