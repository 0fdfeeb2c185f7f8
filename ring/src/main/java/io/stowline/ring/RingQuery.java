package io.stowline.ring;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A query over the entities of a table of a ring: of one partition in its account, else of all accounts of the region at once.
 *
 * <p>The results of several accounts are merged in the order of partition key and row key. Of each account a page or two and up to 64 results are held.
 * Each account gives its partitions as it has them when it is read: a merged query is no snapshot. An account that fails ends the query.
 *
 * <p>Immutable and thread-safe: each step gives a new query.
 *
 * @param <T> what a result is
 */
public interface RingQuery<T> {

    /**
     * Restricts the query to one partition, which one account has.
     *
     * @param partitionKey the partition
     * @return the narrowed query
     * @throws IllegalStateException if the query is for a partition already
     */
    RingQuery<T> partition(String partitionKey);

    /**
     * Restricts the query to rows whose key has this prefix.
     *
     * @param prefix the beginning of the row key
     * @return the narrowed query
     * @throws IllegalStateException if the query has a range of rows already
     */
    RingQuery<T> rowPrefix(String prefix);

    /**
     * Restricts the query to rows whose key is in this range.
     *
     * @param from the first key of the range
     * @param below the first key after the range
     * @return the narrowed query
     * @throws IllegalArgumentException if {@code from} comes after {@code below}
     * @throws IllegalStateException if the query has a range of rows already
     */
    RingQuery<T> rowRange(String from, String below);

    /**
     * Restricts the query to entities that match this condition. Several conditions must all hold.
     *
     * @param filter the condition
     * @return the narrowed query
     * @throws IllegalArgumentException if the query then has more comparisons than the service takes, or compares with a value of another type
     */
    RingQuery<T> where(Filter filter);

    /**
     * Takes the results as they come, so that no account waits for another one.
     *
     * @return the query without an order between its accounts
     */
    RingQuery<T> unordered();

    /**
     * Reads rows as another record, and fetches only that record's properties.
     *
     * @param type the record; it needs both keys unless the query is {@link #unordered} or for one partition
     * @param <R> the record
     * @return the projected query
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    <R> RingQuery<R> as(Class<R> type);

    /**
     * Reads rows as entities that have only these properties, and fetches no others but the keys.
     *
     * @param properties their names
     * @return the projected query
     */
    RingQuery<Entity> select(String... properties);

    /**
     * Sets how many rows the service puts into one page at the most.
     *
     * @param rows 1 to 1,000; the default is 1,000
     * @return the query with this page size
     */
    RingQuery<T> pageSize(int rows);

    /**
     * Sets how many results there are at the most, of all accounts together. Each account may be read that far.
     *
     * @param results at least 1; the default is no limit
     * @return the limited query
     */
    RingQuery<T> limit(long results);

    /**
     * Returns the results, fetched as they are read. Close the stream if it is not read to its end.
     *
     * @return the results
     * @throws IllegalStateException if the results are to be merged and their type lacks a key
     */
    Stream<T> stream();

    /**
     * Returns the results with their ETags, fetched as they are read.
     *
     * @return the results
     * @throws IllegalStateException if the results are to be merged and their type lacks a key
     */
    Stream<StoredEntity<T>> streamStored();

    /**
     * Returns all results.
     *
     * @return the results in a list
     */
    default List<T> list() {
        try (Stream<T> results = stream()) {
            return results.toList();
        }
    }

    /**
     * Returns the first result.
     *
     * @return the first result, if there is one
     */
    default Optional<T> first() {
        try (Stream<T> results = limit(1).stream()) {
            return results.findFirst();
        }
    }

    /**
     * Returns how many results there are; see {@link io.stowline.table.Query#count}.
     *
     * @return the number, at most the {@link #limit}
     */
    long count();
}
