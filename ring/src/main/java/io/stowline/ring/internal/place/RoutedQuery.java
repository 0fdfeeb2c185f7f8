package io.stowline.ring.internal.place;

import io.stowline.projection.filter.Filter;
import io.stowline.table.EntityKey;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ReactiveTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The settings of a query over the accounts of a ring. Immutable.
 *
 * @param partitionKey the one partition that is read, or {@code null} for all
 * @param rowKeys narrows the query of one account to a range of row keys; {@code null} for all
 * @param filters the conditions, all of which must hold
 * @param results projects the query of one account, and takes its results
 * @param count projects the query of one account, and counts its results
 * @param keys gives the keys of a result, by which the results of several accounts are merged; {@code null} if it lacks one
 * @param ordered whether the results of several accounts are merged
 * @param limit how many results there are at most
 * @param <T> the table's type
 * @param <R> what a result is
 */
public record RoutedQuery<T, R>(
        @Nullable String partitionKey,
        @Nullable UnaryOperator<ReactiveQuery<T>> rowKeys,
        List<Filter> filters,
        Function<ReactiveQuery<T>, Flux<R>> results,
        Function<ReactiveQuery<T>, Mono<Long>> count,
        @Nullable Function<R, EntityKey> keys,
        boolean ordered,
        long limit) {

    /** The limit of a query without one. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Returns the query of one partition. */
    public RoutedQuery<T, R> in(String partition) {
        return new RoutedQuery<>(partition, rowKeys, filters, results, count, keys, ordered, limit);
    }

    /** Returns the query for the rows of the application only. */
    public RoutedQuery<T, R> withoutReserved() {
        List<Filter> all = new ArrayList<>(filters);
        all.add(ReservedRows.excluded());
        return new RoutedQuery<>(partitionKey, rowKeys, List.copyOf(all), results, count, keys, ordered, limit);
    }

    /** Returns the query without its limit. */
    public RoutedQuery<T, R> unlimited() {
        return new RoutedQuery<>(partitionKey, rowKeys, filters, results, count, keys, ordered, UNLIMITED);
    }

    /** Returns the query with other results, ordered by keys and without a limit. */
    public <V> RoutedQuery<T, V> taking(Function<ReactiveQuery<T>, Flux<V>> other, Function<V, EntityKey> otherKeys) {
        return new RoutedQuery<>(partitionKey, rowKeys, filters, other, count, otherKeys, true, UNLIMITED);
    }

    /** Returns the query on the table of one account. */
    public ReactiveQuery<T> on(ReactiveTable<T> table) {
        ReactiveQuery<T> query = table.query();
        if (partitionKey != null) {
            query = query.partition(partitionKey);
        }
        if (rowKeys != null) {
            query = rowKeys.apply(query);
        }
        for (Filter filter : filters) {
            query = query.where(filter);
        }
        return limit == UNLIMITED ? query : query.limit(limit);
    }

    /** Returns the results on the table of one account, in the order of their keys. */
    public Flux<R> resultsOn(ReactiveTable<T> table) {
        return results.apply(on(table));
    }

    /** Returns how many results there are on the table of one account. */
    public Mono<Long> countOn(ReactiveTable<T> table) {
        return count.apply(on(table));
    }
}
