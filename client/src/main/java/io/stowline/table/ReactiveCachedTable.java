package io.stowline.table;

import io.stowline.caching.CachedRead;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link CachedTable}: the same methods. Results arrive on the callback threads, not on an I/O thread unless
 * {@code callbacks(Runnable::run)} was set.
 *
 * <p>Thread-safe.
 *
 * @param <T> a record, an immutable class, or {@link Entity}
 */
public interface ReactiveCachedTable<T> {

    /**
     * Reads one entity; see {@link CachedTable#find}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag if there is one, and how the cache served it
     */
    Mono<CachedRead<StoredEntity<T>>> find(String partitionKey, String rowKey);

    /**
     * Forgets an entity; see {@link CachedTable#invalidate}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     */
    void invalidate(String partitionKey, String rowKey);
}
