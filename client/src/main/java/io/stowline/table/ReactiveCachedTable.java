package io.stowline.table;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.table.internal.CachedFinds;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link CachedTable}: the same verbs. Results arrive on the callback threads, never on an I/O thread.
 *
 * <p>Thread-safe.
 *
 * @param <T> a record, an immutable class, or {@link Entity}
 */
public final class ReactiveCachedTable<T> {

    private final CachedFinds finds;
    private final TableScope<T> scope;
    private final Freshness freshness;

    ReactiveCachedTable(TableScope<T> scope, Freshness freshness) {
        this.scope = scope;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.finds = new CachedFinds(scope.service().cache(), scope.client());
    }

    /**
     * Reads one entity; see {@link CachedTable#find}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag if there is one, and how the read was answered
     */
    public Mono<CachedRead<Stored<T>>> find(String partitionKey, String rowKey) {
        return CachedTable.finding(finds, scope, freshness, partitionKey, rowKey)
                .publishOn(scope.service().callbackScheduler())
                .map(found -> RowShape.cached(scope.client().table(), found, scope.codec()));
    }

    /**
     * Forgets an entity; see {@link CachedTable#invalidate}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     */
    public void invalidate(String partitionKey, String rowKey) {
        finds.invalidate(partitionKey, rowKey);
    }

    @Override
    public String toString() {
        return "ReactiveCachedTable[" + scope.client().table() + ", " + freshness + "]";
    }
}
