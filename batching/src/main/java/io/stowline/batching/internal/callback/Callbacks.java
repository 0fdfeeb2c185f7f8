package io.stowline.batching.internal.callback;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The delivery of results: on an executor, and on threads on demand as long as the callback that requested a result has
 * not returned. It may wait for that result, and so may all others that the executor runs. Requests during a delivery
 * count as those of the same callback. Errors of a callback are logged and counted. Safe for use by many threads.
 */
public final class Callbacks {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final ThreadLocal<@Nullable CallbackRun> CALLING = new ThreadLocal<>();

    /** One callback while it runs, with those that it calls. */
    public static final class CallbackRun {

        private final @Nullable CallbackRun asker;
        private volatile boolean returned;

        CallbackRun(@Nullable CallbackRun asker) {
            this.asker = running(asker);
        }

        /** Returns whether neither this callback nor one that waits for its work may still wait. */
        public boolean isOver() {
            return running(this) == null;
        }

        /** The call, or the nearest of its askers that has not returned. */
        private static @Nullable CallbackRun running(@Nullable CallbackRun call) {
            CallbackRun next = call;
            while (next != null && next.returned) {
                next = next.asker;
            }
            return next;
        }
    }

    /** Lies in the context of a subscriber, and is around what is delivered to it. */
    @FunctionalInterface
    public interface Surrounding {

        /** Runs what is delivered, in the calling thread. */
        void run(Runnable callback);
    }

    /** Lies in the context of a subscriber, and ends by what a step behind a delivery throws in place of a signal. */
    @FunctionalInterface
    public interface Breakable {

        /**
         * Ends it.
         *
         * @return false if it had ended before
         */
        boolean broken(Throwable thrown);
    }

    /** A callback that runs once, also on an executor that runs and then refuses it. */
    private final class Task extends AtomicBoolean implements Runnable {

        private static final long serialVersionUID = 1L;

        private final transient Runnable callback;
        private final transient @Nullable CallbackRun asker;

        Task(Runnable callback, @Nullable CallbackRun asker) {
            this.callback = callback;
            this.asker = asker;
        }

        @Override
        public void run() {
            if (compareAndSet(false, true)) {
                call(callback, asker);
            }
        }
    }

    private final Executor executor;
    private final Executor onDemand;
    private final AtomicLong failures;

    private Callbacks(Executor executor, Executor onDemand, AtomicLong failures) {
        this.executor = executor;
        this.onDemand = onDemand;
        this.failures = failures;
    }

    /** Callbacks on an executor, and where that will not do on daemon threads that all engines share. */
    public static Callbacks on(Executor executor) {
        return on(executor, OwnThreads.MORE);
    }

    /**
     * Callbacks on an executor.
     *
     * @param executor what runs them
     * @param onDemand what runs those that a callback may wait for: it begins each at once, on whatever number of threads
     */
    public static Callbacks on(Executor executor, Executor onDemand) {
        return new Callbacks(
                Objects.requireNonNull(executor, "executor"),
                Objects.requireNonNull(onDemand, "onDemand"),
                new AtomicLong());
    }

    /**
     * Has the signals of a publisher arrive as callbacks. Who asks is the callback that subscribes, or that waits for what subscribes.
     */
    public <T> Mono<T> deliver(Mono<T> source) {
        return Mono.deferContextual(seen -> {
            CallbackRun asker = asker(seen);
            return BreakableDelivery.in(seen, source.publishOn(scheduler(asker, seen)))
                    .contextWrite(context -> requested(context, asker));
        });
    }

    /**
     * Has the signals of a publisher arrive as callbacks. Who asks is the callback that subscribes, or that waits for what subscribes.
     *
     * @param source the publisher, on whatever thread
     * @param prefetch how many values are requested ahead of their reader, at least 1
     */
    public <T> Flux<T> deliver(Flux<T> source, int prefetch) {
        return Flux.deferContextual(seen -> {
            CallbackRun asker = asker(seen);
            return BreakableDelivery.in(seen, source.publishOn(scheduler(asker, seen), prefetch))
                    .contextWrite(context -> requested(context, asker));
        });
    }

    /**
     * Notes in the context of a subscriber that the current thread is about to wait: what is subscribed on other threads for it then
     * counts as requested by the callback that this thread runs, if it runs one.
     */
    public static Context waiting(Context context) {
        return requested(Objects.requireNonNull(context, "context"), asker(context));
    }

    private static Context requested(Context context, @Nullable CallbackRun asker) {
        return asker == null ? context : context.put(CallbackRun.class, asker);
    }

    /** Returns the callback that requests a subscription with this context. */
    public static @Nullable CallbackRun asker(ContextView seen) {
        CallbackRun known = seen.getOrDefault(CallbackRun.class, null);
        CallbackRun opening = opening();
        return known == null || known.isOver() ? opening : known;
    }

    private Scheduler scheduler(@Nullable CallbackRun asker, ContextView seen) {
        return Schedulers.fromExecutor(task -> run(surrounded(task, seen), asker), true);
    }

    private static Runnable surrounded(Runnable callback, ContextView seen) {
        Surrounding around = seen.getOrDefault(Surrounding.class, null);
        return around == null ? callback : () -> around.run(callback);
    }

    public static Executor ownThreads() {
        return OwnThreads.FEW;
    }

    public static Executor threadsOnDemand() {
        return OwnThreads.MORE;
    }

    /** Callbacks on another executor that are counted together with these. */
    public Callbacks with(Executor other) {
        return new Callbacks(other, onDemand, failures);
    }

    /** Returns whether the current thread runs a callback. */
    public static boolean calling() {
        return CALLING.get() != null;
    }

    public static @Nullable CallbackRun current() {
        return CALLING.get();
    }

    /** Returns the callback that the current thread runs, if it requests something that it may wait for. */
    public static @Nullable CallbackRun opening() {
        CallbackRun call = CALLING.get();
        if (call != null) {
            beforeWaiting();
        }
        return call;
    }

    /** Prepares the current thread for a wait. */
    public static void beforeWaiting() {
        ActionTrampoline.beforeWaiting(OwnThreads.MORE);
    }

    /** Runs work of the engine on threads that no callback keeps. */
    public static void onThreadsOnDemand(Runnable work) {
        OwnThreads.MORE.execute(work);
    }

    public long failures() {
        return failures.get();
    }

    public void run(Runnable callback) {
        run(callback, null);
    }

    /**
     * Runs a callback on the executor, or on threads on demand while the callback that requested it still runs: it may wait for
     * this one, and so may all others of the executor.
     */
    public void run(Runnable callback, @Nullable CallbackRun asker) {
        Task task = new Task(callback, asker);
        if (asker != null && !asker.isOver()) {
            runOnDemand(task);
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

    private void runOnDemand(Task task) {
        try {
            onDemand.execute(task);
        } catch (RejectedExecutionException closed) {
            OwnThreads.MORE.execute(task);
        }
    }

    /** Logs and counts what code of the application threw. */
    public void threw(String what, Throwable error) {
        failures.incrementAndGet();
        LOG.warn("{} threw", what, error);
    }

    /** Tells a subscriber of the end of something, as a callback. */
    public <T> Mono<T> tell(CompletableFuture<T> end) {
        CallbackRun asker = opening();
        Mono<T> delivery = Mono.create(sink -> {
            CompletableFuture<T> unused = end.whenComplete((value, error) -> run(
                    surrounded(
                            () -> {
                                if (error != null) {
                                    sink.error(error);
                                } else {
                                    sink.success(value);
                                }
                            },
                            sink.contextView()),
                    asker));
        });
        return Mono.deferContextual(seen -> BreakableDelivery.in(seen, delivery));
    }

    private void call(Runnable callback, @Nullable CallbackRun asker) {
        boolean outer = calling();
        CallbackRun call = new CallbackRun(asker);
        if (!outer) {
            CALLING.set(call);
        }
        try {
            callback.run();
        } catch (Throwable error) {
            threw("a callback", error);
        } finally {
            if (!outer) {
                call.returned = true;
                // Not removed: the next callback of this thread would make the entry once more.
                CALLING.set(null);
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
