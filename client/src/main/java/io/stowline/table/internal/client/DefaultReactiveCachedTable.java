package io.stowline.table.internal.client;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.table.ReactiveCachedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.query.CachedReads;
import io.stowline.table.internal.query.RowMapper;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** {@link ReactiveCachedTable} over the point reads of the cache. */
final class DefaultReactiveCachedTable<T> implements ReactiveCachedTable<T> {

    private final CachedReads finds;
    private final TableContext<T> context;
    private final Freshness freshness;

    DefaultReactiveCachedTable(TableContext<T> context, Freshness freshness) {
        this.context = context;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.finds = new CachedReads(context.service().cache(), context.operations());
    }

    @Override
    public Mono<CachedRead<StoredEntity<T>>> find(String partitionKey, String rowKey) {
        return context.service()
                .delivered(DefaultCachedTable.finding(finds, context, freshness, partitionKey, rowKey))
                .map(UserCode.contained(
                        found -> RowMapper.cached(context.operations().table(), found, context.codec())));
    }

    @Override
    public void invalidate(String partitionKey, String rowKey) {
        finds.invalidate(partitionKey, rowKey);
    }

    @Override
    public String toString() {
        return "ReactiveCachedTable[" + context.operations().table() + ", " + freshness + "]";
    }
}
