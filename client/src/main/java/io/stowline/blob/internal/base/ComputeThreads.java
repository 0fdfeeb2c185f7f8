package io.stowline.blob.internal.base;

import java.util.concurrent.CompletableFuture;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The threads that compute with bytes in memory, which all clients share: hashes, pages of listings. Nothing on them waits. */
public final class ComputeThreads {

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    /** The scheduler of these threads. */
    public static final Scheduler SHARED = Schedulers.newParallel("stowline-shared-compute", CORES, true);

    /** The bytes that are worth a change of threads; on one core, which gains nothing by it, less memory is enough. */
    public static final int PIECE = CORES > 1 ? 128 << 10 : 32 << 10;

    private ComputeThreads() {}

    /** Runs work beside the caller's, or before it returns if there is one core only. */
    public static CompletableFuture<Void> beside(Runnable work) {
        if (CORES > 1) {
            return CompletableFuture.runAsync(work, SHARED::schedule);
        }
        work.run();
        return CompletableFuture.completedFuture(null);
    }
}
