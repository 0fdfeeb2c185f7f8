package io.stowline.caching.internal.engine;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads of all caches for work that waits for a disk. Not Reactor's bounded elastic ones: callers that are on all of these may wait for
 * this work.
 */
public final class CacheThreads {

    private static final int MAX = 64;
    private static final int IDLE_SECONDS = 60;

    /** The scheduler of these threads. */
    public static final Scheduler SHARED =
            Schedulers.newBoundedElastic(MAX, Integer.MAX_VALUE, "stowline-shared-cache", IDLE_SECONDS, true);

    private CacheThreads() {}
}
