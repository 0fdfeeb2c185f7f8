package io.stowline.table;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Query.DeletionReport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link Query}: the same steps and ends. Pages are requested as the subscriber requests results, one page
 * ahead; cancelling stops the requests.
 *
 * <p>Immutable and thread-safe; each step gives a new query.
 *
 * @param <T> what a result is
 */
public interface ReactiveQuery<T> {

    /**
     * Restricts the query to one partition; see {@link Query#partition}.
     *
     * @param partitionKey the partition
     * @return the narrowed query
     */
    ReactiveQuery<T> partition(String partitionKey);

    /**
     * Restricts the query to rows whose key has this prefix; see {@link Query#rowPrefix}.
     *
     * @param prefix the beginning
     * @return the narrowed query
     */
    ReactiveQuery<T> rowPrefix(String prefix);

    /**
     * Restricts the query to rows in this range; see {@link Query#rowRange}.
     *
     * @param from the first key
     * @param below the key after the last
     * @return the narrowed query
     */
    ReactiveQuery<T> rowRange(String from, String below);

    /**
     * Restricts the query to entities that match this condition; see {@link Query#where}.
     *
     * @param filter the condition
     * @return the narrowed query
     */
    ReactiveQuery<T> where(Filter filter);

    /**
     * Restricts the query to these partitions; see {@link Query#partitions}.
     *
     * @param partitionKeys the partitions
     * @return the divided query
     */
    ReactiveQuery<T> partitions(Collection<String> partitionKeys);

    /**
     * Restricts the query to partitions whose key begins with one of these prefixes; see {@link Query#partitionPrefixes}.
     *
     * @param prefixes the prefixes
     * @return the divided query
     */
    ReactiveQuery<T> partitionPrefixes(List<String> prefixes);

    /**
     * Returns the same query in parts of the range of partition keys; see {@link Query#splitAt}.
     *
     * @param partitionKeys where the range is split
     * @return the divided query
     */
    ReactiveQuery<T> splitAt(String... partitionKeys);

    /**
     * Sets how many parts are read at a time; see {@link Query#parallelism}.
     *
     * @param parts 1 to 64
     * @return the query with this parallelism
     */
    ReactiveQuery<T> parallelism(int parts);

    /**
     * Takes the results as they come; see {@link Query#unordered}.
     *
     * @return the query without an order between its parts
     */
    ReactiveQuery<T> unordered();

    /**
     * Reads rows as another record; see {@link Query#as}.
     *
     * @param type the record, or a sealed interface of records
     * @param <R> the record
     * @return the projected query
     */
    <R> ReactiveQuery<R> as(Class<R> type);

    /**
     * Reads only these properties; see {@link Query#select}.
     *
     * @param properties their names
     * @return the projected query
     */
    ReactiveQuery<Entity> select(String... properties);

    /**
     * Sets the page size; see {@link Query#pageSize}.
     *
     * @param rows 1 to 1,000
     * @return the query with this page size
     */
    ReactiveQuery<T> pageSize(int rows);

    /**
     * Sets the most results; see {@link Query#limit}.
     *
     * @param results at least 1
     * @return the limited query
     */
    ReactiveQuery<T> limit(long results);

    /**
     * Sets how long the pages of the query may be in flight, those fetched ahead included; see {@link Query#deadline}.
     *
     * @param time the time, more than zero
     * @return the query with this deadline
     */
    ReactiveQuery<T> deadline(Duration time);

    /**
     * Returns which part of the table the service scans; see {@link Query#queryClass}.
     *
     * @return the class, such as {@code row-range}
     */
    String queryClass();

    /**
     * Passes over entities that cannot be read as the query's type; see {@link Query#skipUnreadable}.
     *
     * @param skipped is given each of them
     * @return the query that skips
     */
    ReactiveQuery<T> skipUnreadable(Consumer<? super UnreadableEntityException> skipped);

    /**
     * Returns the results; see {@link Query#stream}.
     *
     * @return the results as they come
     */
    Flux<T> stream();

    /**
     * Returns the results with their versions; see {@link Query#streamStored}.
     *
     * @return the results as they come
     */
    Flux<StoredEntity<T>> streamStored();

    /**
     * Returns all results; see {@link Query#list}.
     *
     * @return the results, when the last has come
     */
    default Mono<List<T>> list() {
        return stream().collectList();
    }

    /**
     * Returns the first result; see {@link Query#first}.
     *
     * @return the first result; empty if there is none
     */
    default Mono<T> first() {
        return limit(1).stream().next();
    }

    /**
     * Returns how many results there are; see {@link Query#count}.
     *
     * @return the number
     */
    Mono<Long> count();

    /**
     * Returns the first page; see {@link Query#page()}.
     *
     * @return the page
     */
    Mono<Query.Page<T>> page();

    /**
     * Returns the page after another one; see {@link Query#page(String)}.
     *
     * @param token the token of the page before
     * @return the page
     */
    Mono<Query.Page<T>> page(String token);

    /**
     * Returns the first page, each result with its ETag; see {@link Query#pageStored()}.
     *
     * @return the page
     */
    Mono<Query.Page<StoredEntity<T>>> pageStored();

    /**
     * Returns the page after another one, each result with its ETag; see {@link Query#pageStored(String)}.
     *
     * @param token the token of the page before
     * @return the page
     */
    Mono<Query.Page<StoredEntity<T>>> pageStored(String token);

    /**
     * Deletes what the query finds; see {@link Query#deleteAll}.
     *
     * @return how many entities were deleted, and how many were not
     */
    Mono<DeletionReport> deleteAll();
}
