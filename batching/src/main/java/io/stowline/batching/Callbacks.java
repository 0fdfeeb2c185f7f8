package io.stowline.batching;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Runs what users asked to be called; what that throws is logged and counted. Safe for use by many threads. */
final class Callbacks {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final ThreadLocal<@Nullable Call> CALLING = new ThreadLocal<>();

    /** One callback while it runs, with those that it calls. */
    static final class Call {

        private volatile boolean over;
    }

    /** A callback that runs once, also on an executor that runs and then refuses it. */
    private final class Task extends AtomicBoolean implements Runnable {

        private static final long serialVersionUID = 1L;

        private final transient Runnable callback;

        Task(Runnable callback) {
            this.callback = callback;
        }

        @Override
        public void run() {
            if (compareAndSet(false, true)) {
                call(callback);
            }
        }
    }

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
        return CALLING.get() != null;
    }

    static @Nullable Call current() {
        return CALLING.get();
    }

    /** The callback that the current thread runs and that asks for something, which it may wait for. */
    static @Nullable Call asking() {
        Call call = CALLING.get();
        if (call != null) {
            beforeWaiting();
        }
        return call;
    }

    /** Before the current thread waits. */
    static void beforeWaiting() {
        Trampoline.beforeWaiting(OwnThreads.MORE);
    }

    /** Runs work of the engine on threads that no callback keeps. */
    static void onThreadsOnDemand(Runnable work) {
        OwnThreads.MORE.execute(work);
    }

    long failures() {
        return failures.get();
    }

    void run(Runnable callback) {
        run(callback, null);
    }

    /**
     * Runs a callback on the executor, or on threads on demand when the callback that asked for it still runs: it may wait for
     * this one, and so may all others of the executor.
     */
    void run(Runnable callback, @Nullable Call asker) {
        Task task = new Task(callback);
        if (asker != null && !asker.over) {
            OwnThreads.MORE.execute(task);
            return;
        }
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            failures.incrementAndGet();
            LOG.warn("the callback executor refused a callback, which runs on the engine's own threads", refused);
            OwnThreads.MORE.execute(task);
        }
    }

    /** Logs and counts what code of the application threw. */
    void threw(String what, Throwable error) {
        failures.incrementAndGet();
        LOG.warn("{} threw", what, error);
    }

    /** Tells a subscriber of the end of something, as a callback. */
    <T> Mono<T> tell(CompletableFuture<T> end) {
        Call asker = asking();
        return Mono.create(sink -> {
            CompletableFuture<T> unused = end.whenComplete((value, error) -> run(
                    () -> {
                        if (error != null) {
                            sink.error(error);
                        } else {
                            sink.success(value);
                        }
                    },
                    asker));
        });
    }

    private void call(Runnable callback) {
        boolean outer = calling();
        Call call = new Call();
        if (!outer) {
            CALLING.set(call);
        }
        try {
            callback.run();
        } catch (Throwable error) {
            threw("a callback", error);
        } finally {
            if (!outer) {
                call.over = true;
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
