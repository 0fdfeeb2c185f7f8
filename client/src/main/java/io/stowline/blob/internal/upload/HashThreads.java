package io.stowline.blob.internal.upload;

import java.util.concurrent.CompletableFuture;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The threads that compute hashes of content in memory, which all clients share. Nothing on them waits. */
final class HashThreads {

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    /** The scheduler of these threads. */
    static final Scheduler SHARED = Schedulers.newParallel("stowline-shared-hash", CORES, true);

    /** The bytes that are worth a change of threads; on one core, which gains nothing by it, less memory is enough. */
    static final int PIECE = CORES > 1 ? 128 << 10 : 32 << 10;

    private HashThreads() {}

    /** Runs work beside the caller's, or before it returns if there is one core only. */
    static CompletableFuture<Void> beside(Runnable work) {
        if (CORES > 1) {
            return CompletableFuture.runAsync(work, SHARED::schedule);
        }
        work.run();
        return CompletableFuture.completedFuture(null);
    }
}
