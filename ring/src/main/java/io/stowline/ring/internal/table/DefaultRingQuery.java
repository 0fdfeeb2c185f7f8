package io.stowline.ring.internal.table;

import io.stowline.projection.filter.Filter;
import io.stowline.ring.RingQuery;
import io.stowline.ring.internal.place.PartitionRoutes;
import io.stowline.ring.internal.place.RoutedQuery;
import io.stowline.ring.internal.place.RoutedTable;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.StoredEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * {@link RingQuery} that checks each step by the query of one account, and sends nothing before it is read.
 *
 * @param <S> the table's type
 * @param <T> what a result is
 */
final class DefaultRingQuery<S, T> implements RingQuery<T> {

    private final RoutedTable<S> table;
    private final PartitionRoutes<S> routes;
    private final RoutedQuery<S, ?> rows;
    private final Class<T> type;
    private final Function<ReactiveQuery<S>, ReactiveQuery<T>> view;
    private final boolean ordered;

    private DefaultRingQuery(
            RoutedTable<S> table,
            PartitionRoutes<S> routes,
            RoutedQuery<S, ?> rows,
            Class<T> type,
            Function<ReactiveQuery<S>, ReactiveQuery<T>> view,
            boolean ordered) {
        this.table = table;
        this.routes = routes;
        this.rows = rows;
        this.type = type;
        this.view = view;
        this.ordered = ordered;
    }

    static <S> RingQuery<S> of(RoutedTable<S> table, PartitionRoutes<S> routes, Class<S> type) {
        RoutedQuery<S, S> all = new RoutedQuery<>(
                null, null, List.of(), ReactiveQuery::stream, ReactiveQuery::count, null, false, RoutedQuery.UNLIMITED);
        return new DefaultRingQuery<>(table, routes, all, type, Function.identity(), true);
    }

    @Override
    public RingQuery<T> partition(String partitionKey) {
        if (rows.partitionKey() != null) {
            throw new IllegalStateException("the query is for a partition already");
        }
        return with(Objects.requireNonNull(partitionKey, "partitionKey"), rows.rowKeys(), rows.filters(), rows.limit());
    }

    @Override
    public RingQuery<T> rowPrefix(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        return rows(query -> query.rowPrefix(prefix));
    }

    @Override
    public RingQuery<T> rowRange(String from, String below) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(below, "below");
        return rows(query -> query.rowRange(from, below));
    }

    private RingQuery<T> rows(UnaryOperator<ReactiveQuery<S>> range) {
        if (rows.rowKeys() != null) {
            throw new IllegalStateException("the query has a range of rows already");
        }
        return with(rows.partitionKey(), range, rows.filters(), rows.limit());
    }

    @Override
    public RingQuery<T> where(Filter filter) {
        List<Filter> filters = new ArrayList<>(rows.filters());
        filters.add(Objects.requireNonNull(filter, "filter"));
        return with(rows.partitionKey(), rows.rowKeys(), List.copyOf(filters), rows.limit());
    }

    @Override
    public RingQuery<T> limit(long results) {
        if (results < 1) {
            throw new IllegalArgumentException("limit is at least 1, not " + results);
        }
        return with(rows.partitionKey(), rows.rowKeys(), rows.filters(), results);
    }

    private RingQuery<T> with(
            @Nullable String partition,
            @Nullable UnaryOperator<ReactiveQuery<S>> rowKeys,
            List<Filter> filters,
            long limit) {
        RoutedQuery<S, ?> changed = new RoutedQuery<>(
                partition, rowKeys, filters, ReactiveQuery::stream, ReactiveQuery::count, null, false, limit);
        return checked(new DefaultRingQuery<>(table, routes, changed, type, view, ordered));
    }

    @Override
    public RingQuery<T> unordered() {
        return new DefaultRingQuery<>(table, routes, rows, type, view, false);
    }

    @Override
    public <R> RingQuery<R> as(Class<R> other) {
        return viewed(other, query -> query.as(other));
    }

    @Override
    public RingQuery<Entity> select(String... properties) {
        String[] names = Objects.requireNonNull(properties, "properties").clone();
        return viewed(Entity.class, query -> query.select(names));
    }

    @Override
    public RingQuery<T> pageSize(int size) {
        return viewed(type, query -> query.pageSize(size));
    }

    private <R> RingQuery<R> viewed(Class<R> other, Function<ReactiveQuery<T>, ReactiveQuery<R>> step) {
        return checked(new DefaultRingQuery<>(
                table, routes, rows, Objects.requireNonNull(other, "type"), view.andThen(step), ordered));
    }

    private static <S, R> RingQuery<R> checked(DefaultRingQuery<S, R> query) {
        Objects.requireNonNull(query.view.apply(query.rows.on(query.table.any().reactive())));
        return query;
    }

    @Override
    public Stream<T> stream() {
        return routes.query(results(ReactiveQuery::stream, ValueKeys::of));
    }

    @Override
    public Stream<StoredEntity<T>> streamStored() {
        return routes.query(results(ReactiveQuery::streamStored, stored -> ValueKeys.of(stored.value())));
    }

    private <R> RoutedQuery<S, R> results(Function<ReactiveQuery<T>, Flux<R>> taken, Function<R, EntityKey> keys) {
        boolean merged = ordered && rows.partitionKey() == null;
        if (merged && !ValueKeys.areIn(type)) {
            throw new IllegalStateException("results of several accounts are merged by their keys, and "
                    + type.getName() + " lacks one: add both keys, or make the query unordered()");
        }
        return routed(taken, ValueKeys.areIn(type) ? keys : null, merged);
    }

    private <R> RoutedQuery<S, R> routed(
            Function<ReactiveQuery<T>, Flux<R>> taken, @Nullable Function<R, EntityKey> keys, boolean merged) {
        return new RoutedQuery<>(
                rows.partitionKey(),
                rows.rowKeys(),
                rows.filters(),
                view.andThen(taken),
                view.andThen(ReactiveQuery::count),
                keys,
                merged,
                rows.limit());
    }

    @Override
    public long count() {
        return routes.count(routed(ReactiveQuery::stream, ValueKeys.areIn(type) ? ValueKeys::of : null, false));
    }
}
