package io.stowline.spring.boot.cache;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache.ValueRetrievalException;
import reactor.core.publisher.Mono;

/** The loads of one cache that run in this process, one for a key at a time; other callers wait for its value. Thread-safe. */
final class CacheLoads {

    private final String cache;
    private final ConcurrentMap<String, Load> running = new ConcurrentHashMap<>();

    CacheLoads(String cache) {
        this.cache = cache;
    }

    /**
     * A load.
     *
     * @param thread the thread that loads; null if none is blocked by it
     * @param value the value as a cache stores it
     */
    private record Load(@Nullable Thread thread, CompletableFuture<Object> value) {}

    /** Returns the value of the running load of a row, or carries one out on this thread. */
    Object await(String rowKey, Object key, Callable<?> loader, Supplier<Object> load) {
        Load mine = new Load(Thread.currentThread(), new CompletableFuture<>());
        Load other = running.putIfAbsent(rowKey, mine);
        if (other != null) {
            return value(other, key, loader);
        }
        try {
            Object loaded = load.get();
            mine.value().complete(loaded);
            return loaded;
        } catch (Throwable e) {
            mine.value().completeExceptionally(e);
            throw e;
        } finally {
            running.remove(rowKey, mine);
        }
    }

    private Object value(Load other, Object key, Callable<?> loader) {
        if (other.thread() == Thread.currentThread()) {
            throw new IllegalStateException(
                    "the loader of a value of the cache '" + cache + "' loads the same key from the cache");
        }
        try {
            return other.value().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ValueRetrievalException(key, loader, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new ValueRetrievalException(key, loader, e.getCause());
        }
    }

    /** Returns the value of the running load of a row, or begins one. */
    CompletableFuture<Object> later(String rowKey, Mono<Object> load) {
        Load mine = new Load(null, new CompletableFuture<>());
        Load other = running.putIfAbsent(rowKey, mine);
        if (other != null) {
            return other.value().copy();
        }
        load.doFinally(end -> running.remove(rowKey, mine))
                .subscribe(mine.value()::complete, mine.value()::completeExceptionally);
        return mine.value().copy();
    }
}
