package io.stowline.spring.boot.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.core.NestedExceptionUtils;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** The loads of one cache that run in this process, one for a key at a time; other callers wait for its value. Thread-safe. */
final class CacheLoads {

    /** Finds threads of any caches that would wait for each other. Guarded by itself. */
    private static final Map<Thread, Load> AWAITED = new HashMap<>();

    private final String cache;
    private final ConcurrentMap<String, Load> running = new ConcurrentHashMap<>();

    CacheLoads(String cache) {
        this.cache = cache;
    }

    /** A load and the number of its callers. */
    private static final class Load {

        private final @Nullable Thread thread;
        private final CompletableFuture<Object> value = new CompletableFuture<>();
        private final Disposable.Swap subscription = Disposables.swap();
        private int callers = 1;

        /** Begins with one caller; the thread is the one that loads, or null if none is blocked by it. */
        Load(@Nullable Thread thread) {
            this.thread = thread;
        }

        /** Returns whether the caller waits for this load, which others have not given up. */
        synchronized boolean join() {
            if (callers == 0 || value.isDone()) {
                return false;
            }
            callers++;
            return true;
        }

        /** Leaves the load, which ends with its last caller. The thread that loads is one. */
        void leave() {
            synchronized (this) {
                callers--;
                if (callers > 0) {
                    return;
                }
            }
            subscription.dispose();
        }

        void subscribe(Mono<Object> load) {
            subscription.update(load.subscribe(value::complete, value::completeExceptionally));
        }
    }

    /** The future of one caller, who leaves the load by its end. */
    private static final class CallerFuture<T> extends CompletableFuture<T> {

        private final AtomicReference<@Nullable Load> joined = new AtomicReference<>();

        void join(Load load) {
            joined.set(load);
            if (isDone()) {
                leave();
            }
        }

        void leave() {
            Load load = joined.getAndSet(null);
            if (load != null) {
                load.leave();
            }
        }

        /** Spring gives its callers what this method makes; their cancel would not reach this future. */
        @Override
        public CompletableFuture<T> exceptionallyCompose(Function<Throwable, ? extends CompletionStage<T>> then) {
            CompletableFuture<T> given = super.exceptionallyCompose(then);
            var unused = given.whenComplete((value, failure) -> cancel(false));
            return given;
        }
    }

    private Load joined(String rowKey, Load mine) {
        return running.merge(rowKey, mine, (other, none) -> other.join() ? other : mine);
    }

    /** Makes later calls wait for no load from before a write of the row. */
    void forget(String rowKey) {
        running.remove(rowKey);
    }

    /** Makes later calls wait for no load from before a removal of all rows. */
    void forgetAll() {
        running.clear();
    }

    /** Returns the value of the running load of a row, or carries one out on this thread. */
    Object await(String rowKey, Object key, Callable<?> loader, Supplier<Object> load) {
        while (true) {
            Load mine = new Load(Thread.currentThread());
            Load joined = joined(rowKey, mine);
            if (joined == mine) {
                return carryOut(rowKey, mine, load);
            }
            Object value = value(joined, key, loader);
            if (value != null) {
                return value;
            }
        }
    }

    /** An interrupt is that of this thread: callers in other threads load then for themselves. */
    private Object carryOut(String rowKey, Load mine, Supplier<Object> load) {
        try {
            Object loaded = load.get();
            mine.value.complete(loaded);
            return loaded;
        } catch (Throwable e) {
            if (Thread.currentThread().isInterrupted()
                    || NestedExceptionUtils.getMostSpecificCause(e) instanceof InterruptedException) {
                mine.value.cancel(false);
            } else {
                mine.value.completeExceptionally(e);
            }
            throw e;
        } finally {
            running.remove(rowKey, mine);
        }
    }

    /** Waits for the value of a load; null if it was cancelled. */
    private @Nullable Object value(Load other, Object key, Callable<?> loader) {
        requireNoCircle(other);
        try {
            return other.value.get();
        } catch (CancellationException e) {
            return null;
        } catch (InterruptedException e) {
            other.leave();
            Thread.currentThread().interrupt();
            throw new ValueRetrievalException(key, loader, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new ValueRetrievalException(key, loader, e.getCause());
        } finally {
            synchronized (AWAITED) {
                AWAITED.remove(Thread.currentThread());
            }
        }
    }

    private void requireNoCircle(Load other) {
        Thread current = Thread.currentThread();
        synchronized (AWAITED) {
            Load next = other;
            while (next != null && next.thread != null && !next.value.isDone()) {
                if (next.thread == current) {
                    throw new IllegalStateException("the loader of a value of the cache '" + cache + "' loads "
                            + (next == other
                                    ? "the same key from the cache"
                                    : "a key whose loader waits for it; load one of the two without the other"));
                }
                next = AWAITED.get(next.thread);
            }
            AWAITED.put(current, other);
        }
    }

    /** Returns the value of the running load of a row, or begins one. It ends when each caller has cancelled its future. */
    <T> CompletableFuture<T> later(String rowKey, Mono<Object> load, Function<Object, T> view) {
        CallerFuture<T> caller = new CallerFuture<>();
        var unused = caller.whenComplete((value, failure) -> caller.leave());
        join(caller, rowKey, load, view);
        return caller;
    }

    private <T> void join(CallerFuture<T> caller, String rowKey, Mono<Object> load, Function<Object, T> view) {
        Load mine = new Load(null);
        Load joined = joined(rowKey, mine);
        caller.join(joined);
        if (joined == mine) {
            mine.subscribe(load.doFinally(end -> running.remove(rowKey, mine)));
        }
        var unused = joined.value.whenComplete((value, failure) -> {
            if (failure == null) {
                caller.complete(view.apply(value));
            } else if (joined != mine && failure instanceof CancellationException && !caller.isDone()) {
                join(caller, rowKey, load, view);
            } else {
                caller.completeExceptionally(failure);
            }
        });
    }
}
