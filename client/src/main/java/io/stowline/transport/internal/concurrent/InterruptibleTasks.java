package io.stowline.transport.internal.concurrent;

import io.stowline.transport.internal.thread.NamedThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Steps that block, each on a separate thread, which is interrupted when the step is cancelled.
 *
 * <p>Not on Reactor's bounded elastic threads nor on the SDK's shared ones: callers that are on all of these would wait for steps
 * that wait for one of these. The number of threads is bounded by the number of permits and of callers.
 */
public final class InterruptibleTasks {

    private static final NamedThreads NAMED = new NamedThreads("shared", "blocking");
    private static final ExecutorService THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), InterruptibleTasks::thread);

    private InterruptibleTasks() {}

    private static Thread thread(Runnable work) {
        Thread thread = NAMED.newThread(work);
        // It outlives its first caller, whose class loader it would hold.
        thread.setContextClassLoader(InterruptibleTasks.class.getClassLoader());
        return thread;
    }

    /**
     * Returns the step as a Mono; a result that comes after the cancel goes to the discard hook of the Reactor context.
     */
    public static <T> Mono<T> mono(Callable<T> step) {
        return FatalErrors.handingOver(Mono.create(sink -> {
            Step<T> started = new Step<>(step, sink);
            started.endWith(THREADS.submit(started));
        }));
    }

    /**
     * Returns the exception of a blocking client for an error of an asynchronous one, as the SDK's HTTP client makes
     * it.
     */
    public static Throwable unchecked(Throwable error) {
        Throwable cause = Exceptions.unwrap(error);
        if (cause instanceof IOException broken) {
            return new UncheckedIOException(broken);
        }
        return cause instanceof RuntimeException || cause instanceof Error ? cause : new RuntimeException(cause);
    }

    /** Returns the cause, without the wrapper of blocking clients. */
    static Throwable checked(Throwable error) {
        Throwable cause = error.getCause();
        boolean wrapped = error instanceof UncheckedIOException || error.getClass() == RuntimeException.class;
        return wrapped && (cause instanceof IOException || cause instanceof TimeoutException) ? cause : error;
    }

    private static final class Step<T> implements Runnable {

        private final Callable<T> work;
        private final MonoSink<T> sink;
        private volatile boolean cancelled;

        Step(Callable<T> work, MonoSink<T> sink) {
            this.work = work;
            this.sink = sink;
        }

        void endWith(Future<?> running) {
            sink.onCancel(() -> {
                cancelled = true;
                running.cancel(true);
            });
        }

        @Override
        public void run() {
            T result;
            try {
                result = work.call();
            } catch (Throwable error) {
                // The subscriber has cancelled, so the error of the interrupt has no reader.
                if (!cancelled) {
                    sink.error(checked(error));
                }
                return;
            }
            sink.success(result);
        }
    }
}
