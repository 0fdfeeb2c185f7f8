package io.stowline.transport.internal.thread;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The threads of all clients for work that may wait for a disk, or for code of the application. Not Reactor's bounded elastic ones: callers
 * that are on all of these may wait for this work (TRANSFER-7).
 */
public final class WaitingThreads {

    private static final int MAX = 256;
    private static final int IDLE_SECONDS = 60;

    /** The scheduler of these threads. */
    public static final Scheduler SHARED =
            Schedulers.newBoundedElastic(MAX, Integer.MAX_VALUE, "stowline-shared-waiting", IDLE_SECONDS, true);

    private WaitingThreads() {}
}
