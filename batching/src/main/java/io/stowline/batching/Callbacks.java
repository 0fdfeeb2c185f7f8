package io.stowline.batching;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Runs what users asked to be called; what that throws is logged and counted. Safe for use by many threads. */
final class Callbacks {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final ThreadLocal<Boolean> CALLING = ThreadLocal.withInitial(() -> false);

    private final Executor executor;
    private final AtomicLong failures;

    private Callbacks(Executor executor, AtomicLong failures) {
        this.executor = executor;
        this.failures = failures;
    }

    static Callbacks on(Executor executor) {
        return new Callbacks(executor, new AtomicLong());
    }

    static Executor ownThreads() {
        return OwnThreads.FEW;
    }

    /** Callbacks on another executor that are counted together with these. */
    Callbacks with(Executor other) {
        return new Callbacks(other, failures);
    }

    /** Whether the current thread runs a callback. */
    static boolean calling() {
        return CALLING.get();
    }

    long failures() {
        return failures.get();
    }

    void run(Runnable callback) {
        try {
            executor.execute(() -> call(callback));
        } catch (Throwable refused) {
            failures.incrementAndGet();
            LOG.warn("the callback executor refused a callback, which runs on the engine's own threads", refused);
            OwnThreads.MORE.execute(() -> call(callback));
        }
    }

    /** Tells a subscriber of the end of something, as a callback. */
    <T> Mono<T> tell(CompletableFuture<T> end) {
        Callbacks telling = forWaiting();
        return Mono.create(sink -> {
            CompletableFuture<T> unused = end.whenComplete((value, error) -> telling.run(() -> {
                if (error != null) {
                    sink.error(error);
                } else {
                    sink.success(value);
                }
            }));
        });
    }

    /** Where a callback can be told of something that it waits for: on these, when its own threads may all wait. */
    private Callbacks forWaiting() {
        return calling() ? with(OwnThreads.MORE) : this;
    }

    private void call(Runnable callback) {
        boolean outer = CALLING.get();
        CALLING.set(true);
        try {
            callback.run();
        } catch (Throwable error) {
            failures.incrementAndGet();
            LOG.warn("a callback threw", error);
        } finally {
            if (outer) {
                CALLING.set(true);
            } else {
                CALLING.remove();
            }
        }
    }

    /** Daemon threads shared by all engines, made when needed and gone when idle. */
    private static final class OwnThreads {

        private static final AtomicInteger COUNT = new AtomicInteger();
        private static final Executor FEW =
                pool(Math.max(2, Runtime.getRuntime().availableProcessors()), new LinkedBlockingQueue<>());
        private static final Executor MORE = pool(Integer.MAX_VALUE, new SynchronousQueue<>());

        private static Executor pool(int threads, BlockingQueue<Runnable> queue) {
            int core = queue instanceof SynchronousQueue ? 0 : threads;
            ThreadPoolExecutor pool =
                    new ThreadPoolExecutor(core, threads, 10, TimeUnit.SECONDS, queue, OwnThreads::thread);
            pool.allowCoreThreadTimeOut(true);
            return pool;
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(work, "stowline-batching-callbacks-" + COUNT.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        }
    }
}
