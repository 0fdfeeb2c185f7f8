package io.stowline.blob.internal.base;

import io.stowline.error.StorageInterruptedException;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.UserCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Work that waits, or reads and writes what belongs to the user, on threads that serve nothing else. Not on Reactor's bounded elastic ones:
 * callers that are on all of these would wait for work that waits for one of these (TRANSFER-7).
 */
public final class BlockingTask {

    private static final int MAX = 256;

    private static final Scheduler THREADS = Schedulers.newBoundedElastic(MAX, Integer.MAX_VALUE, FileThread::new, 60);

    /** Separate, so that an interrupt never waits behind the work that it is to end. */
    private static final Executor INTERRUPTS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), FileThread::new);

    private BlockingTask() {}

    /** Runs short work that nothing interrupts: it may use what others use, too, and an interrupt would close. */
    public static void run(Runnable work) {
        Disposable unused = THREADS.schedule(work);
    }

    /** Runs work on a thread that may block. Cancelling it interrupts the work, whose later error is dropped. */
    public static <T> Mono<T> call(Callable<T> work) {
        return FatalErrors.handingOver(Mono.create(sink -> {
            Task<T> task = new Task<>(work, sink);
            sink.onCancel(task::stop);
            if (!(Thread.currentThread() instanceof FileThread thread) || !thread.takes(task)) {
                task.schedule();
            }
        }));
    }

    /**
     * The tasks of one transfer. One of them that begins with the end of another one runs on its thread: to wake a second thread costs as much
     * as the system calls for a small file. What is subscribed to in the context of a group must not wait for the group.
     */
    public static final class TaskGroup {

        /** Returns a context whose tasks belong to the group. */
        public Context in(Context context) {
            return context.put(TaskGroup.class, this);
        }
    }

    /** A thread that may wait. Its fields belong to itself. */
    private static final class FileThread extends Thread {

        /** The group of the task whose end is being delivered. */
        private @Nullable TaskGroup delivering;

        private @Nullable Task<?> next;

        FileThread(Runnable work) {
            super(work, "stowline-shared-transfer");
            setDaemon(true);
            // It outlives its first caller, whose class loader it would hold.
            setContextClassLoader(BlockingTask.class.getClassLoader());
        }

        boolean takes(Task<?> task) {
            boolean free = delivering != null && delivering == task.group && next == null;
            if (free) {
                next = task;
            }
            return free;
        }

        private @Nullable Task<?> taken() {
            Task<?> taken = next;
            next = null;
            return taken;
        }

        void work(Task<?> first) {
            for (Task<?> task = first; task != null; task = taken()) {
                task.run();
                // A cancellation interrupts its own task only.
                Thread.interrupted();
                end(task);
            }
        }

        private void end(Task<?> task) {
            boolean delivered = false;
            delivering = task.group;
            try {
                task.deliver();
                delivered = true;
            } finally {
                delivering = null;
                Task<?> left = delivered ? null : taken();
                if (left != null) {
                    left.schedule();
                }
            }
        }
    }

    /** Work whose end goes to a sink. */
    private static final class Task<T> extends FutureTask<T> {

        private final MonoSink<T> sink;
        private final @Nullable TaskGroup group;
        private volatile boolean stopped;

        Task(Callable<T> work, MonoSink<T> sink) {
            super(() -> {
                try {
                    return work.call();
                } catch (Error e) {
                    throw UserCode.signalled(e);
                }
            });
            this.sink = sink;
            this.group = sink.contextView().getOrDefault(TaskGroup.class, null);
        }

        void schedule() {
            Disposable unused = THREADS.schedule(() -> ((FileThread) Thread.currentThread()).work(this));
        }

        /**
         * An interrupt closes the channel that a thread uses, and so waits for a disk that stands still. The caller
         * that cancels does not.
         */
        void stop() {
            stopped = true;
            INTERRUPTS.execute(() -> cancel(true));
        }

        @Override
        public void run() {
            if (!stopped) {
                AwaitedCode.run(sink.contextView(), super::run);
            }
        }

        void deliver() {
            if (stopped || isCancelled()) {
                return;
            }
            try {
                sink.success(get());
            } catch (ExecutionException e) {
                sink.error(Objects.requireNonNullElse(e.getCause(), e));
            } catch (InterruptedException e) {
                throw new IllegalStateException("the result of a task that has run is there", e);
            }
        }
    }

    /** The failure of a transfer whose caller's file or stream fails. */
    public static final class StreamFailure {

        private StreamFailure() {}

        /**
         * Returns the failure for an error. An interrupt in a file or a stream is the same as one in the wait for the
         * service (RETRY-8).
         */
        public static RuntimeException of(String what, IOException e) {
            boolean ofInput = e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
            if (ofInput || e instanceof ClosedByInterruptException) {
                Thread.currentThread().interrupt();
                InterruptedException interrupt = new InterruptedException(e.toString());
                interrupt.initCause(e);
                return new StorageInterruptedException(interrupt);
            }
            return new UncheckedIOException(PrintableText.of(what), e);
        }
    }
}
