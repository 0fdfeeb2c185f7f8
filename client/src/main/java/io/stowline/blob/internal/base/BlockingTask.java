package io.stowline.blob.internal.base;

import io.stowline.error.StorageInterruptedException;
import io.stowline.transport.internal.concurrent.UserCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Work that waits, or reads and writes what belongs to the user, on threads that serve nothing else. Not on Reactor's bounded elastic ones:
 * callers that are on all of these would wait for work that waits for one of these (TRANSFER-7).
 */
public final class BlockingTask {

    private static final int MOST = 256;

    private static final Scheduler THREADS =
            Schedulers.newBoundedElastic(MOST, Integer.MAX_VALUE, BlockingTask::thread, 60);

    private BlockingTask() {}

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "stowline-shared-transfer");
        thread.setDaemon(true);
        // It outlives its first caller, whose class loader it would hold.
        thread.setContextClassLoader(BlockingTask.class.getClassLoader());
        return thread;
    }

    /** Runs short work that nothing interrupts: it may use what others use, too, and an interrupt would close. */
    public static void run(Runnable work) {
        Disposable unused = THREADS.schedule(work);
    }

    /** Cancelling it interrupts the work; what the work then throws is dropped. */
    public static <T> Mono<T> call(Callable<T> work) {
        return Mono.defer(() -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            return Mono.fromCallable(() -> {
                        try {
                            return work.call();
                        } catch (Exception e) {
                            if (cancelled.get()) {
                                return null;
                            }
                            throw e;
                        } catch (Error e) {
                            throw UserCode.signalled(e);
                        }
                    })
                    .subscribeOn(THREADS)
                    .doOnCancel(() -> cancelled.set(true));
        });
    }

    /** What a transfer fails with when the caller's file or stream does. */
    public static final class StreamFailure {

        private StreamFailure() {}

        /** An interrupt that a file or a stream has noticed is the same as one that the wait for the service notices (RETRY-8). */
        public static RuntimeException of(String what, IOException e) {
            boolean ofInput = e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
            if (ofInput || e instanceof ClosedByInterruptException) {
                Thread.currentThread().interrupt();
                InterruptedException interrupt = new InterruptedException(e.toString());
                interrupt.initCause(e);
                return new StorageInterruptedException(interrupt);
            }
            return new UncheckedIOException(what, e);
        }
    }
}
