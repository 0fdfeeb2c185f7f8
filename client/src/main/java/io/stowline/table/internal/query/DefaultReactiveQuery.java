package io.stowline.table.internal.query;

import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactiveQuery} that reads what its {@link QueryPlan} describes. */
public final class DefaultReactiveQuery<T> extends QuerySteps<T, ReactiveQuery<T>> implements ReactiveQuery<T> {

    public DefaultReactiveQuery(QueryPlan<T> plan) {
        super(plan);
    }

    @Override
    ReactiveQuery<T> of(QueryPlan<T> other) {
        return new DefaultReactiveQuery<>(other);
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
    public Flux<T> stream() {
        return results(plan.valuePages(), plan::values);
    }

    @Override
    public Flux<StoredEntity<T>> streamStored() {
        return results(plan.versionPages(), plan::rows).map(RowMapper::stored);
    }

    private <R> Flux<R> results(Flux<QueryPage> pages, Function<QueryPage, List<R>> decoding) {
        Flux<QueryPage> delivered = plan.context().service().delivered(pages);
        if (plan.limit() == 0) {
            return delivered.concatMapIterable(UserCode.contained(decoding), 1);
        }
        // Without prefetch: the page after the last result is not requested.
        return delivered
                .concatMap(UserCode.contained(decoding.andThen(Flux::fromIterable)), 0)
                .take(plan.limit());
    }

    @Override
    public Mono<Long> count() {
        return new DefaultReactiveQuery<>(plan.keys()).stream().count();
    }

    @Override
    public Mono<Query.Page<T>> page() {
        return Mono.defer(() -> ResultPages.values(plan, null).mono());
    }

    @Override
    public Mono<Query.Page<T>> page(String token) {
        Objects.requireNonNull(token, "token");
        return Mono.defer(() -> ResultPages.values(plan, token).mono());
    }

    @Override
    public Mono<Query.Page<StoredEntity<T>>> pageStored() {
        return Mono.defer(() -> ResultPages.stored(plan, null).mono());
    }

    @Override
    public Mono<Query.Page<StoredEntity<T>>> pageStored(String token) {
        Objects.requireNonNull(token, "token");
        return Mono.defer(() -> ResultPages.stored(plan, token).mono());
    }

    @Override
    public Mono<DeletionReport> deleteAll() {
        return QueryDeletion.of(plan);
    }
}
