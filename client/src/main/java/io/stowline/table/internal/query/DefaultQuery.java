package io.stowline.table.internal.query;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.UnreadableEntityException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** {@link Query} that reads what its {@link QueryPlan} describes. */
public final class DefaultQuery<T> implements Query<T> {

    private final QueryPlan<T> plan;

    public DefaultQuery(QueryPlan<T> plan) {
        this.plan = plan;
    }

    @Override
    public Query<T> partition(String partitionKey) {
        return new DefaultQuery<>(plan.partition(partitionKey));
    }

    @Override
    public Query<T> rowPrefix(String prefix) {
        return new DefaultQuery<>(plan.rowPrefix(prefix));
    }

    @Override
    public Query<T> rowRange(String from, String below) {
        return new DefaultQuery<>(plan.rowRange(from, below));
    }

    @Override
    public Query<T> where(Filter filter) {
        return new DefaultQuery<>(plan.where(filter));
    }

    @Override
    public Query<T> partitions(Collection<String> partitionKeys) {
        return new DefaultQuery<>(plan.divided(QueryPartitions.partitions(partitionKeys)));
    }

    @Override
    public Query<T> partitionPrefixes(List<String> prefixes) {
        return new DefaultQuery<>(plan.divided(QueryPartitions.prefixes(prefixes)));
    }

    @Override
    public Query<T> splitAt(String... partitionKeys) {
        return new DefaultQuery<>(plan.divided(QueryPartitions.splitAt(partitionKeys)));
    }

    @Override
    public Query<T> parallelism(int parts) {
        return new DefaultQuery<>(plan.parallelism(parts));
    }

    @Override
    public Query<T> unordered() {
        return new DefaultQuery<>(plan.unordered());
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
    public Query<T> pageSize(int rows) {
        return new DefaultQuery<>(plan.pageSize(rows));
    }

    @Override
    public Query<T> limit(long results) {
        return new DefaultQuery<>(plan.limit(results));
    }

    @Override
    public Query<T> deadline(Duration time) {
        return new DefaultQuery<>(plan.deadline(time));
    }

    @Override
    public String queryClass() {
        return plan.queryClass().label();
    }

    @Override
    public Query<T> skipUnreadable(Consumer<? super UnreadableEntityException> skipped) {
        return new DefaultQuery<>(plan.skipUnreadable(skipped));
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
        return new ResultPages<>(plan, null).await();
    }

    @Override
    public Page<T> page(String token) {
        return new ResultPages<>(plan, Objects.requireNonNull(token, "token")).await();
    }

    @Override
    public DeletionReport deleteAll() {
        return Objects.requireNonNull(BlockingAwait.on(QueryDeletion.of(plan)), "the report");
    }
}
