package io.stowline.spring.boot.cache;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache.ValueRetrievalException;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The loads of one cache that run in this process, one for a key at a time; other callers wait for its value. Thread-safe. */
final class CacheLoads {

    private final String cache;
    private final ConcurrentMap<String, Load> running = new ConcurrentHashMap<>();

    CacheLoads(String cache) {
        this.cache = cache;
    }

    /** A load and the number of its callers. */
    private static final class Load {

        private final @Nullable Thread thread;
        private final CompletableFuture<Object> value = new CompletableFuture<>();
        private @Nullable Disposable subscription;
        private int callers;

        /** Begins with no caller; the thread is the one that loads, or null if none is blocked by it. */
        Load(@Nullable Thread thread) {
            this.thread = thread;
        }

        /** Returns whether the caller waits for this load. One that all callers have left is given up. */
        synchronized boolean join() {
            if (callers < 0) {
                return false;
            }
            callers++;
            return true;
        }

        /** Returns whether the last caller has left a load that blocks no thread, which ends then. */
        synchronized boolean leave() {
            if (--callers > 0 || thread != null || value.isDone()) {
                return false;
            }
            callers = -1;
            if (subscription != null) {
                subscription.dispose();
            }
            return true;
        }

        synchronized void subscribe(Mono<Object> load) {
            subscription = load.subscribe(value::complete, value::completeExceptionally);
        }
    }

    /** Returns the value of the running load of a row, or carries one out on this thread. */
    Object await(String rowKey, Object key, Callable<?> loader, Supplier<Object> load) {
        Load mine = new Load(Thread.currentThread());
        for (Load other = running.putIfAbsent(rowKey, mine); other != null; other = running.putIfAbsent(rowKey, mine)) {
            if (other.join()) {
                return value(rowKey, other, key, loader);
            }
            running.remove(rowKey, other);
        }
        try {
            Object loaded = load.get();
            mine.value.complete(loaded);
            return loaded;
        } catch (Throwable e) {
            mine.value.completeExceptionally(e);
            throw e;
        } finally {
            running.remove(rowKey, mine);
        }
    }

    private Object value(String rowKey, Load other, Object key, Callable<?> loader) {
        if (other.thread == Thread.currentThread()) {
            throw new IllegalStateException(
                    "the loader of a value of the cache '" + cache + "' loads the same key from the cache");
        }
        try {
            return other.value.get();
        } catch (InterruptedException e) {
            leave(rowKey, other);
            Thread.currentThread().interrupt();
            throw new ValueRetrievalException(key, loader, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new ValueRetrievalException(key, loader, e.getCause());
        }
    }

    /** Returns the value of the running load of a row, or begins one. It ends when each caller has cancelled its future. */
    <T> CompletableFuture<T> later(String rowKey, Mono<Object> load, Function<Object, T> view) {
        Load mine = new Load(null);
        Load joined = mine;
        for (Load other = running.putIfAbsent(rowKey, mine); other != null; other = running.putIfAbsent(rowKey, mine)) {
            if (other.join()) {
                joined = other;
                break;
            }
            running.remove(rowKey, other);
        }
        if (joined == mine) {
            mine.join();
            mine.subscribe(load.doFinally(end -> running.remove(rowKey, mine)));
        }
        Load awaited = joined;
        CompletableFuture<T> value = awaited.value.thenApply(view);
        var unused = value.whenComplete((loaded, failure) -> {
            if (value.isCancelled()) {
                leave(rowKey, awaited);
            }
        });
        return value;
    }

    private void leave(String rowKey, Load load) {
        if (load.leave()) {
            running.remove(rowKey, load);
        }
    }
}
