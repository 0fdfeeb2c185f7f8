package io.stowline.table.internal.client;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.CachedTable;
import io.stowline.table.ReactiveCachedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.query.CachedReads;
import io.stowline.table.internal.query.RowMapper;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** {@link CachedTable} over the point reads of the cache. */
final class DefaultCachedTable<T> implements CachedTable<T> {

    private final CachedReads finds;
    private final TableContext<T> context;
    private final Freshness freshness;

    DefaultCachedTable(TableContext<T> context, Freshness freshness) {
        this.context = context;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.finds = new CachedReads(context.service().cache(), context.operations());
    }

    @Override
    public ReactiveCachedTable<T> reactive() {
        return new DefaultReactiveCachedTable<>(context, freshness);
    }

    @Override
    public CachedRead<StoredEntity<T>> find(String partitionKey, String rowKey) {
        CachedReads.FoundEntity found = BlockingAwait.on(finding(finds, context, freshness, partitionKey, rowKey));
        return RowMapper.cached(
                context.operations().table(),
                Objects.requireNonNull(found, "the read ended without a result"),
                context.codec());
    }

    static <T> Mono<CachedReads.FoundEntity> finding(
            CachedReads finds, TableContext<T> context, Freshness freshness, String partitionKey, String rowKey) {
        return Mono.defer(() -> {
            KeyRules.check("PartitionKey", partitionKey);
            KeyRules.check("RowKey", rowKey);
            return finds.find(partitionKey, rowKey, context.codec(), freshness);
        });
    }

    @Override
    public void invalidate(String partitionKey, String rowKey) {
        finds.invalidate(partitionKey, rowKey);
    }

    @Override
    public String toString() {
        return "CachedTable[" + context.operations().table() + ", " + freshness + "]";
    }
}
