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
    private final TableContext<T> context;
    private final Freshness freshness;

    ReactiveCachedTable(TableContext<T> context, Freshness freshness) {
        this.context = context;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.finds = new CachedReads(context.service().cache(), context.operations());
    }

    /**
     * Reads one entity; see {@link CachedTable#find}.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag if there is one, and how the read was answered
     */
    public Mono<CachedRead<StoredEntity<T>>> find(String partitionKey, String rowKey) {
        return context.service()
                .delivered(CachedTable.finding(finds, context, freshness, partitionKey, rowKey))
                .map(UserCode.contained(
                        found -> RowMapper.cached(context.operations().table(), found, context.codec())));
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
        return "ReactiveCachedTable[" + context.operations().table() + ", " + freshness + "]";
    }
}
