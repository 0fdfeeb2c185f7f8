package io.stowline.table.internal.index;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.table.EntityKey;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.index.IndexedRow.IndexedRowCodec;
import io.stowline.table.internal.query.DefaultReactiveQuery;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.query.QueryPlan;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A reader that finds entities by their index rows. Thread-safe. */
public record IndexedReads<T>(IndexedContext<T> context) {

    private static final int AT_A_TIME = 8;
    private static final int MAX_TRIES = 5;

    /** Returns the entities themselves. */
    public QueryPlan<T> entities() {
        return QueryPlan.of(context.entityView());
    }

    /** Returns one entity, and no index row. */
    public Mono<StoredEntity<T>> entity(String partitionKey, String rowKey) {
        KeyRules.check("PartitionKey", partitionKey);
        KeyRules.check("RowKey", rowKey);
        return Mono.defer(() -> {
            context.indexes().forEach(index -> index.refuse(partitionKey, rowKey));
            return new PointReads<>(context.view()).found(partitionKey, rowKey);
        });
    }

    /** Returns one copy. */
    public <V> Mono<T> copy(Index<T, V> index, String partitionKey, V value) {
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(value, "value");
        return Mono.defer(() -> {
            TableIndex<T> unique = context.rows(index, TableIndex.IndexKind.UNIQUE);
            String row = KeyRules.check("RowKey of the index row " + index.name(), unique.first(index.keyText(value)));
            return context.copy(unique, context.entityPartition(partitionKey), row);
        });
    }

    /** Returns the copies of a partition in the order of an index. */
    public QueryPlan<T> copies(Index<T, ?> index, String partitionKey) {
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(partitionKey, "partitionKey");
        TableIndex<T> local = local(index);
        return plan(local, partitionKey).rowPrefix(local.prefix());
    }

    /** Returns the copies with one value. */
    public <V> QueryPlan<T> copies(Index<T, V> index, String partitionKey, V value) {
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(value, "value");
        TableIndex<T> ordered = context.rows(index, TableIndex.IndexKind.ORDERED);
        return plan(ordered, partitionKey).rowPrefix(ordered.prefix(index.keyText(value)));
    }

    /** Returns the copies with values in a range. */
    public <V> QueryPlan<T> copies(Index<T, V> index, String partitionKey, V from, V below) {
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(below, "below");
        TableIndex<T> local = local(index);
        return plan(local, partitionKey).rowRange(local.first(index.keyText(from)), local.first(index.keyText(below)));
    }

    public <V> QueryPlan<T> copiesFrom(Index<T, V> index, String partitionKey, V from) {
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(from, "from");
        TableIndex<T> local = local(index);
        return plan(local, partitionKey).rowRange(local.first(index.keyText(from)), local.end());
    }

    private TableIndex<T> local(Index<T, ?> index) {
        return context.rows(index, TableIndex.IndexKind.UNIQUE, TableIndex.IndexKind.ORDERED);
    }

    /** Without rows that others have put there. */
    private QueryPlan<T> plan(TableIndex<T> index, String partitionKey) {
        return plan(context.copies(), index, partitionKey);
    }

    private <R> QueryPlan<R> plan(EntityCodec<R> codec, TableIndex<T> index, String partitionKey) {
        return QueryPlan.of(context.primary().with(codec).always(index.current()))
                .partition(context.entityPartition(partitionKey));
    }

    /** Returns one page of the entities themselves, or of the copies of them where these are in their partition. */
    public Mono<Query.Page<T>> page(IndexLookup<T> lookup, @Nullable String token) {
        Objects.requireNonNull(lookup, "lookup");
        return lookup.index().isGlobal()
                ? pageStored(lookup, token)
                        .map(page -> new Query.Page<>(
                                page.values().stream().map(StoredEntity::value).toList(), page.nextToken()))
                : Mono.defer(() -> IndexPages.ofCopies(context, narrowed(lookup, context.copies()), lookup)
                        .page(token));
    }

    /** Returns one page of the entities themselves. */
    public Mono<Query.Page<StoredEntity<T>>> pageStored(IndexLookup<T> lookup, @Nullable String token) {
        Objects.requireNonNull(lookup, "lookup");
        return Mono.defer(
                () -> IndexPages.ofEntities(context, declared(lookup), narrowed(lookup, IndexedRowCodec.OWNERS), lookup)
                        .page(token));
    }

    private TableIndex<T> declared(IndexLookup<T> lookup) {
        return context.rows(lookup.index(), TableIndex.IndexKind.values());
    }

    /** Returns the rows of a lookup. */
    private <R> QueryPlan<R> narrowed(IndexLookup<T> lookup, EntityCodec<R> codec) {
        TableIndex<T> index = declared(lookup);
        String value = lookup.value().orElse(null);
        if (value != null && index.elsewhere()) {
            return index.narrowed(QueryPlan.of(context.primary().with(codec).always(index.current())), value);
        }
        QueryPlan<R> plan = plan(codec, index, lookup.partitionKey().orElseThrow());
        if (value != null) {
            return index.kind() == TableIndex.IndexKind.UNIQUE
                    ? plan.where(Filter.rowKey().equalTo(index.first(value)))
                    : plan.rowPrefix(index.prefix(value));
        }
        String from = lookup.from().map(index::first).orElse(index.prefix());
        return plan.rowRange(from, lookup.below().map(index::first).orElse(index.end()));
    }

    /** Returns one entity by its copy; one that gave its value to another entity between the two reads is not it. */
    public <V> Mono<StoredEntity<T>> stored(Index<T, V> index, String partitionKey, V value) {
        return stored(index, partitionKey, value, MAX_TRIES - 1);
    }

    private <V> Mono<StoredEntity<T>> stored(Index<T, V> index, String partitionKey, V value, int more) {
        EntityCodec<T> codec = context.primary().codec();
        return copy(index, partitionKey, value).flatMap(copy -> context.find(
                        codec.partitionKey(copy), codec.rowKey(copy))
                .filter(found -> TableIndex.of(index).value(found.value()).equals(Optional.of(index.keyText(value))))
                .switchIfEmpty(more > 0 ? stored(index, partitionKey, value, more - 1) : Mono.empty()));
    }

    /** Returns the references with one value. */
    public <V> QueryPlan<IndexedRow> references(Index<T, V> index, V value) {
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(value, "value");
        TableIndex<T> far = context.rows(index, TableIndex.IndexKind.ELSEWHERE);
        return far.narrowed(
                QueryPlan.of(context.primary().with(IndexedRowCodec.OWNERS).always(far.current())),
                index.keyText(value));
    }

    /** Returns the entities that have this value, by the references to them, in their order. */
    public <V> Flux<StoredEntity<T>> elsewhere(Index<T, V> index, V value) {
        return Flux.defer(() -> new DefaultReactiveQuery<>(references(index, value))
                .stream().flatMapSequential(reference -> entity(index, value, reference), AT_A_TIME, 1));
    }

    /** Returns the entity that a reference points to; empty if it is gone or has another value now. */
    public <V> Mono<StoredEntity<T>> entity(Index<T, V> index, V value, IndexedRow reference) {
        EntityKey entity = TableIndex.entity(reference);
        String text = index.keyText(value);
        return entity == null
                ? Mono.empty()
                : context.find(entity.partitionKey(), entity.rowKey())
                        .filter(found ->
                                TableIndex.of(index).value(found.value()).equals(Optional.of(text)));
    }
}
