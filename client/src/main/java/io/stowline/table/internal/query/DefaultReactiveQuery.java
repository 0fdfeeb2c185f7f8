package io.stowline.table.internal.query;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.StoredEntity;
import io.stowline.table.UnreadableEntityException;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveQuery} that reads what its {@link QueryPlan} describes. */
public final class DefaultReactiveQuery<T> implements ReactiveQuery<T> {

    private final QueryPlan<T> plan;

    public DefaultReactiveQuery(QueryPlan<T> plan) {
        this.plan = plan;
    }

    @Override
    public ReactiveQuery<T> partition(String partitionKey) {
        return new DefaultReactiveQuery<>(plan.partition(partitionKey));
    }

    @Override
    public ReactiveQuery<T> rowPrefix(String prefix) {
        return new DefaultReactiveQuery<>(plan.rowPrefix(prefix));
    }

    @Override
    public ReactiveQuery<T> rowRange(String from, String below) {
        return new DefaultReactiveQuery<>(plan.rowRange(from, below));
    }

    @Override
    public ReactiveQuery<T> where(Filter filter) {
        return new DefaultReactiveQuery<>(plan.where(filter));
    }

    @Override
    public ReactiveQuery<T> partitions(Collection<String> partitionKeys) {
        return new DefaultReactiveQuery<>(plan.divided(QueryPartitions.partitions(partitionKeys)));
    }

    @Override
    public ReactiveQuery<T> partitionPrefixes(List<String> prefixes) {
        return new DefaultReactiveQuery<>(plan.divided(QueryPartitions.prefixes(prefixes)));
    }

    @Override
    public ReactiveQuery<T> splitAt(String... partitionKeys) {
        return new DefaultReactiveQuery<>(plan.divided(QueryPartitions.splitAt(partitionKeys)));
    }

    @Override
    public ReactiveQuery<T> parallelism(int parts) {
        return new DefaultReactiveQuery<>(plan.parallelism(parts));
    }

    @Override
    public ReactiveQuery<T> unordered() {
        return new DefaultReactiveQuery<>(plan.unordered());
    }

    @Override
    public <R> ReactiveQuery<R> as(Class<R> type) {
        return new DefaultReactiveQuery<>(plan.as(type));
    }

    @Override
    public ReactiveQuery<Entity> select(String... properties) {
        return new DefaultReactiveQuery<>(plan.select(properties));
    }

    @Override
    public ReactiveQuery<T> pageSize(int rows) {
        return new DefaultReactiveQuery<>(plan.pageSize(rows));
    }

    @Override
    public ReactiveQuery<T> limit(long results) {
        return new DefaultReactiveQuery<>(plan.limit(results));
    }

    @Override
    public ReactiveQuery<T> deadline(Duration time) {
        return new DefaultReactiveQuery<>(plan.deadline(time));
    }

    @Override
    public String queryClass() {
        return plan.queryClass().label();
    }

    @Override
    public ReactiveQuery<T> skipUnreadable(Consumer<? super UnreadableEntityException> skipped) {
        return new DefaultReactiveQuery<>(plan.skipUnreadable(skipped));
    }

    @Override
    public Flux<T> stream() {
        return results(plan.valuePages(), plan::values);
    }

    @Override
    public Flux<StoredEntity<T>> streamStored() {
        return results(plan.versionPages(), plan::rows).map(RowMapper::stored);
    }

    private <R> Flux<R> results(Flux<QueryPage> pages, Function<QueryPage, List<R>> decoding) {
        Flux<R> results = plan.context().service().delivered(pages).concatMapIterable(UserCode.contained(decoding), 1);
        return plan.limit() == 0 ? results : results.take(plan.limit());
    }

    @Override
    public Mono<Long> count() {
        return new DefaultReactiveQuery<>(plan.keys()).stream().count();
    }

    @Override
    public Mono<Query.Page<T>> page() {
        return Mono.defer(() -> new ResultPages<>(plan, null).mono());
    }

    @Override
    public Mono<Query.Page<T>> page(String token) {
        Objects.requireNonNull(token, "token");
        return Mono.defer(() -> new ResultPages<>(plan, token).mono());
    }

    @Override
    public Mono<DeletionReport> deleteAll() {
        return QueryDeletion.of(plan);
    }
}
