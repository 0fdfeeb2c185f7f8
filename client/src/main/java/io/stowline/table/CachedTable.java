package io.stowline.table;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.error.NotFoundException;

/**
 * A cached view of a table that reads single entities without a request each time; made by {@link Table#cached}.
 *
 * <pre>{@code
 * CachedTable<Runner> cached = runners.cached(Freshness.fresh(Duration.ofSeconds(30)));
 * CachedRead<StoredEntity<Runner>> read = cached.find("2026 NYC__Full", "BIB:01234");
 * }</pre>
 *
 * <p>The client's one cache keeps the response as bytes. Other views of the table share it if they read the same properties. Concurrent
 * misses share one request. A write through this client, through any view, makes the next read send a request; after a write whose
 * response was lost every read does until it can no longer take effect. A read sees writes of other clients when the {@link Freshness}
 * window is over. The service need not respond to such requests with 304: if it sends the same version once more, that counts as
 * {@link io.stowline.caching.CacheOutcome#REVALIDATED} too and costs the transfer.
 *
 * <p>All reads go to the primary, whatever {@link Table#withReadPreference} sets. Thread-safe; {@link #reactive()} has the same methods
 * without blocking.
 *
 * @param <T> a record, an immutable class, or {@link Entity}
 */
public interface CachedTable<T> {

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face
     */
    ReactiveCachedTable<T> reactive();

    /**
     * Reads one entity.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag if there is one, and how the cache served it
     * @throws NotFoundException if the table is not there
     */
    CachedRead<StoredEntity<T>> find(String partitionKey, String rowKey);

    /**
     * Removes an entity from the cache after another client is known to have changed it.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     */
    void invalidate(String partitionKey, String rowKey);
}
