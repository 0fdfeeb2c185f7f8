package io.stowline.table;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.table.internal.query.CachedReads;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link CachedTable}: the same methods. Results arrive on the callback threads, not on an I/O thread unless
 * {@code callbacks(Runnable::run)} was set.
 *
 * <p>Thread-safe.
 *
 * @param <T> a record, an immutable class, or {@link Entity}
 */
public final class ReactiveCachedTable<T> {

    private final CachedReads finds;
    private final TableContext<T> scope;
    private final Freshness freshness;

    ReactiveCachedTable(TableContext<T> scope, Freshness freshness) {
        this.scope = scope;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.finds = new CachedReads(scope.service().cache(), scope.client());
    }

    /**
     * Reads one entity; see {@link CachedTable#find}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag if there is one, and how the read was answered
     */
    public Mono<CachedRead<StoredEntity<T>>> find(String partitionKey, String rowKey) {
        return scope.service()
                .delivered(CachedTable.finding(finds, scope, freshness, partitionKey, rowKey))
                .map(UserCode.contained(found -> RowMapper.cached(scope.client().table(), found, scope.codec())));
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
