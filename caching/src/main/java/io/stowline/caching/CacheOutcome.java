package io.stowline.caching;

/** How a read was answered. */
public enum CacheOutcome {
    /** From the cache, within its freshness window: no request. */
    HIT,
    /** From the cache, after the service had said that it still holds: a request without a transfer, or one with the same version. */
    REVALIDATED,
    /** By the service, in the place of what the cache had. */
    REFRESHED,
    /** From the cache, beyond its freshness window: while the service is asked, or because it could not be. */
    STALE,
    /** By a request that another reader had under way. */
    COLLAPSED,
    /** By the service: the cache had nothing. */
    MISS
}
