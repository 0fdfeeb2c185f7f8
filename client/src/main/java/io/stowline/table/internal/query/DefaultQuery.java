package io.stowline.table.internal.query;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** {@link Query} that reads what its {@link QueryPlan} describes. */
public final class DefaultQuery<T> extends QuerySteps<T, Query<T>> implements Query<T> {

    public DefaultQuery(QueryPlan<T> plan) {
        super(plan);
    }

    @Override
    Query<T> of(QueryPlan<T> other) {
        return new DefaultQuery<>(other);
    }

    /**
     * Returns the query in parts.
     *
     * @param ranges conditions on keys in the order of the keys, which together find all rows, and each once
     * @param parts how many are read at a time
     */
    public Query<T> inRanges(List<Filter> ranges, int parts) {
        return of(plan.divided(QueryPartitions.covering(ranges))).parallelism(parts);
    }

    @Override
    public <R> Query<R> as(Class<R> type) {
        return new DefaultQuery<>(plan.as(type));
    }

    @Override
    public Query<Entity> select(String... properties) {
        return new DefaultQuery<>(plan.select(properties));
    }

    @Override
    public Stream<T> stream() {
        return PageStream.values(plan);
    }

    @Override
    public Stream<StoredEntity<T>> streamStored() {
        return PageStream.stored(plan);
    }

    @Override
    public long count() {
        try (Stream<Entity> keys = PageStream.values(plan.keys())) {
            return keys.count();
        }
    }

    @Override
    public Page<T> page() {
        return ResultPages.values(plan, null).await();
    }

    @Override
    public Page<T> page(String token) {
        return ResultPages.values(plan, Objects.requireNonNull(token, "token")).await();
    }

    @Override
    public Page<StoredEntity<T>> pageStored() {
        return ResultPages.stored(plan, null).await();
    }

    @Override
    public Page<StoredEntity<T>> pageStored(String token) {
        return ResultPages.stored(plan, Objects.requireNonNull(token, "token")).await();
    }

    @Override
    public DeletionReport deleteAll() {
        return Objects.requireNonNull(BlockingAwait.on(QueryDeletion.of(plan)), "the report");
    }
}
