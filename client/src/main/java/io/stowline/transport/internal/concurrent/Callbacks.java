package io.stowline.transport.internal.concurrent;

import io.stowline.transport.internal.thread.NamedThreads;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
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
 * Runner of callbacks that deliver results: on an executor, and on threads on demand as long as the callback that requested a result has
 * not returned. It may wait for that result, and so may all others that the executor runs. Requests during a delivery
 * count as those of the same callback. Errors of a callback are logged and counted. Safe for use by many threads.
 */
public final class Callbacks {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final ThreadLocal<@Nullable CallbackRun> CALLING = new ThreadLocal<>();

    /** One callback that runs once, also on an executor that runs and then refuses it, with those that it calls. */
    public static final class CallbackRun implements Runnable {

        private static final int BEGUN = 1;
        private static final int RETURNED = 2;
        private static final AtomicIntegerFieldUpdater<CallbackRun> STATE =
                AtomicIntegerFieldUpdater.newUpdater(CallbackRun.class, "state");

        private final Callbacks callbacks;
        private @Nullable Runnable callback;
        private @Nullable CallbackRun requester;
        private volatile int state;

        private CallbackRun(Callbacks callbacks, Runnable callback, @Nullable CallbackRun requester) {
            this.callbacks = callbacks;
            this.callback = callback;
            this.requester = requester;
        }

        @Override
        public void run() {
            Runnable begun = callback;
            if (begun != null && STATE.compareAndSet(this, 0, BEGUN)) {
                callback = null; // what refers to the run does not keep it
                requester = running(requester);
                callbacks.call(begun, this);
            }
        }

        /** Returns whether neither this callback nor one that waits for its work may still wait. */
        public boolean isOver() {
            return running(this) == null;
        }

        /** The call, or the nearest of its requesters that has not returned. */
        private static @Nullable CallbackRun running(@Nullable CallbackRun call) {
            CallbackRun next = call;
            while (next != null && next.state == RETURNED) {
                next = next.requester;
            }
            return next;
        }
    }

    /** Code in the context of a subscriber that surrounds the deliveries to it. */
    @FunctionalInterface
    public interface Surrounding {

        /** Runs what is delivered, in the calling thread. */
        void run(Runnable callback);
    }

    /** Call in the context of a subscriber that ends when a step behind a delivery throws in place of a signal. */
    @FunctionalInterface
    public interface Breakable {

        /**
         * Ends it.
         *
         * @return false if it had ended before
         */
        boolean broken(Throwable thrown);
    }

    private final Executor executor;
    private final Executor onDemand;
    private final AtomicLong failures;

    private Callbacks(Executor executor, Executor onDemand, AtomicLong failures) {
        this.executor = executor;
        this.onDemand = onDemand;
        this.failures = failures;
    }

    /** Callbacks on an executor, and where that will not do on daemon threads that all clients share. */
    public static Callbacks on(Executor executor) {
        return on(executor, OwnThreads.POOL);
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
     * Has the signals of a publisher arrive as callbacks. The requester is the callback that subscribes, or that waits for
     * the subscriber.
     */
    public <T> Mono<T> deliver(Mono<T> source) {
        return new DeliveredMono<>(source, this);
    }

    /**
     * Has the signals of a publisher arrive as callbacks. The requester is the callback that subscribes, or that waits for
     * the subscriber.
     *
     * @param source the publisher, on whatever thread
     * @param prefetch how many values are requested ahead of their reader, at least 1
     */
    public <T> Flux<T> deliver(Flux<T> source, int prefetch) {
        return Flux.deferContextual(seen -> {
            CallbackRun requester = requester(seen);
            return DeliveredMono.breakable(seen, source.publishOn(scheduler(requester, seen), prefetch))
                    .contextWrite(context -> noting(context, requester));
        });
    }

    /**
     * Notes in the context of a subscriber that the current thread is about to wait: what is subscribed on other threads for it then
     * counts as requested by the callback that this thread runs, if it runs one.
     */
    public static Context waiting(Context context) {
        return noting(Objects.requireNonNull(context, "context"), requester(context));
    }

    static Context noting(Context context, @Nullable CallbackRun requester) {
        return requester == null ? context : context.put(CallbackRun.class, requester);
    }

    /** Returns the callback that requests a subscription with this context. */
    public static @Nullable CallbackRun requester(ContextView seen) {
        CallbackRun known = seen.getOrDefault(CallbackRun.class, null);
        CallbackRun current = requester();
        return known == null || known.isOver() ? current : known;
    }

    private Scheduler scheduler(@Nullable CallbackRun requester, ContextView seen) {
        return Schedulers.fromExecutor(task -> run(surrounded(task, seen), requester), true);
    }

    static Runnable surrounded(Runnable callback, ContextView seen) {
        Surrounding around = seen.getOrDefault(Surrounding.class, null);
        return around == null ? callback : () -> around.run(callback);
    }

    /** Callbacks on another executor that are counted together with these. */
    public Callbacks with(Executor other) {
        return new Callbacks(other, onDemand, failures);
    }

    /** Returns the callback that the current thread runs, or null. */
    public static @Nullable CallbackRun current() {
        return CALLING.get();
    }

    private static @Nullable CallbackRun requester() {
        CallbackRun call = CALLING.get();
        if (call != null) {
            beforeWaiting();
        }
        return call;
    }

    /** Runs the actions that the current thread still has to run, before it waits. */
    public static void beforeWaiting() {
        ActionTrampoline.beforeWaiting(OwnThreads.POOL);
    }

    /** Runs work of the library on threads that no callback occupies. */
    public static void runOnDemand(Runnable work) {
        OwnThreads.POOL.execute(work);
    }

    /** Returns how many callbacks threw or were refused by their executor. */
    public long failures() {
        return failures.get();
    }

    /** Runs a callback that no other one requested. */
    public void run(Runnable callback) {
        run(callback, null);
    }

    /**
     * Runs a callback on the executor, or on threads on demand while the callback that requested it still runs: it may wait for
     * this one, and so may all others of the executor.
     */
    public void run(Runnable callback, @Nullable CallbackRun requester) {
        CallbackRun task = new CallbackRun(this, callback, requester);
        if (requester != null && !requester.isOver()) {
            begin(task);
            return;
        }
        try {
            executor.execute(task);
        } catch (Throwable refused) {
            failures.incrementAndGet();
            LOG.warn("the callback executor refused a callback, which runs on threads of the library", refused);
            OwnThreads.POOL.execute(task);
        }
    }

    private void begin(CallbackRun task) {
        try {
            onDemand.execute(task);
        } catch (RejectedExecutionException closed) {
            OwnThreads.POOL.execute(task);
        }
    }

    /** Logs and counts what code of the application threw. */
    public void threw(String what, Throwable error) {
        failures.incrementAndGet();
        LOG.warn("{} threw", what, error);
    }

    /** Returns the end as a signal that arrives as a callback. The requester is the callback that calls this method. */
    public <T> Mono<T> deliver(CompletableFuture<T> end) {
        CallbackRun requester = requester();
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
                    requester));
        });
        return Mono.deferContextual(seen -> DeliveredMono.breakable(seen, delivery));
    }

    private void call(Runnable callback, CallbackRun call) {
        boolean outer = CALLING.get() != null;
        if (!outer) {
            CALLING.set(call);
        }
        try {
            callback.run();
        } catch (Throwable error) {
            threw("a callback", error);
        } finally {
            if (!outer) {
                call.state = CallbackRun.RETURNED;
                // Not removed: the next callback of this thread would make the entry once more.
                CALLING.set(null);
            }
        }
    }

    /** Daemon threads shared by all clients, made when needed and gone when idle. */
    private static final class OwnThreads {

        private static final Executor POOL = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new NamedThreads("batching", "callbacks"));
    }
}
