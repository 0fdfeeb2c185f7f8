package io.stowline.table;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.error.NotFoundException;
import io.stowline.projection.Keys;
import io.stowline.table.internal.CachedFinds;
import io.stowline.transport.internal.Await;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * Reads of single entities that need not ask the service each time; made by {@link Table#cached}.
 *
 * <pre>{@code
 * CachedTable<Runner> cached = runners.cached(Freshness.fresh(Duration.ofSeconds(30)));
 * CachedRead<Stored<Runner>> read = cached.find("2026 NYC__Full", "BIB:01234");
 * }</pre>
 *
 * <p>What is kept is the answer as bytes, in the one cache of this client, which also readers of other views of the table share as far as
 * they ask for the same properties. Many readers of one entity that is not there yet are one request. A write through this client, by
 * whatever holder, makes the next read ask the service; after a write whose answer was lost every read does until it can no longer take
 * effect. What others write is seen when the {@link Freshness} window is over. The service need not answer such questions with 304: if it
 * sends the same version once more, that counts as {@link io.stowline.caching.CacheOutcome#REVALIDATED} too and costs the transfer.
 *
 * <p>All reads go to the primary, whatever {@link Table#readFrom} says. Thread-safe; {@link #reactive()} has the same verbs without
 * blocking.
 *
 * @param <T> a record, an immutable class, or {@link Entity}
 */
public final class CachedTable<T> {

    private final CachedFinds finds;
    private final TableScope<T> scope;
    private final Freshness freshness;

    CachedTable(TableScope<T> scope, Freshness freshness) {
        this.scope = scope;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.finds = new CachedFinds(scope.service().cache(), scope.client());
    }

    /**
     * The same verbs without blocking.
     *
     * @return the reactive face
     */
    public ReactiveCachedTable<T> reactive() {
        return new ReactiveCachedTable<>(scope, freshness);
    }

    /**
     * Reads one entity.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @return the entity with its ETag if there is one, and how the read was answered
     * @throws NotFoundException if the table is not there
     */
    public CachedRead<Stored<T>> find(String partitionKey, String rowKey) {
        CachedFinds.Found found = Await.on(finding(finds, scope, freshness, partitionKey, rowKey));
        return RowShape.cached(
                scope.client().table(),
                Objects.requireNonNull(found, "the read ended without a result"),
                scope.codec());
    }

    static <T> Mono<CachedFinds.Found> finding(
            CachedFinds finds, TableScope<T> scope, Freshness freshness, String partitionKey, String rowKey) {
        return Mono.defer(() -> {
            Keys.check("PartitionKey", partitionKey);
            Keys.check("RowKey", rowKey);
            return finds.find(partitionKey, rowKey, scope.codec(), freshness);
        });
    }

    /**
     * Forgets an entity, of which is known that somebody else has changed it.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     */
    public void invalidate(String partitionKey, String rowKey) {
        finds.invalidate(partitionKey, rowKey);
    }

    @Override
    public String toString() {
        return "CachedTable[" + scope.client().table() + ", " + freshness + "]";
    }
}
