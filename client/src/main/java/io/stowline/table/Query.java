package io.stowline.table;

import io.stowline.projection.Filter;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A query over the entities of a table, in the order of partition key and row key.
 *
 * <p>Say the partition and a range of row keys where you can: the service scans, and counts against its limits, whatever the
 * keys do not exclude; {@link #queryClass} says how much that is. Of a record type only its own properties are fetched ({@code $select}).
 *
 * <p>A query of several partitions is read in parts beside each other: {@link #partitions}, {@link #partitionPrefixes} or
 * {@link #splitAt}, one of them and once. Of each part that is being read two pages are held at the most; one that fails ends all.
 *
 * <p>Continuations are followed, empty pages included. One page is fetched ahead of the reader; where a {@link #limit} is set, none is.
 * Immutable and thread-safe: each step gives a new query. Failures are those of {@link Table}.
 *
 * @param <T> what a result is
 */
public final class Query<T> {

    private final QueryPlan<T> plan;

    Query(QueryPlan<T> plan) {
        this.plan = plan;
    }

    /**
     * Only this partition.
     *
     * @param partitionKey the partition
     * @return the narrowed query
     * @throws IllegalStateException if the query is for another partition already: together they would find nothing
     */
    public Query<T> partition(String partitionKey) {
        return new Query<>(plan.partition(partitionKey));
    }

    /**
     * Only rows whose key begins so.
     *
     * @param prefix the beginning of the row key
     * @return the narrowed query
     */
    public Query<T> rowPrefix(String prefix) {
        return new Query<>(plan.rowPrefix(prefix));
    }

    /**
     * Only rows whose key is in this range.
     *
     * @param from the first key of the range
     * @param below the first key after the range
     * @return the narrowed query
     * @throws IllegalArgumentException if {@code from} comes after {@code below}
     */
    public Query<T> rowRange(String from, String below) {
        return new Query<>(plan.rowRange(from, below));
    }

    /**
     * Only entities of which this is true. Several conditions must all hold.
     *
     * @param filter the condition
     * @return the narrowed query
     * @throws IllegalArgumentException if the query then has more than the 15 comparisons that the service takes, or if a value is not
     *     of the type in which this table's record stores the property, so that nothing could be found
     */
    public Query<T> where(Filter filter) {
        return new Query<>(plan.where(filter));
    }

    /**
     * Only these partitions, each read by a query of its own.
     *
     * @param partitionKeys the partitions, at least one; results come in their order unless {@link #unordered} says otherwise
     * @return the divided query
     * @throws IllegalArgumentException if there is none, or one is there twice
     * @throws IllegalStateException if the query is divided already
     */
    public Query<T> partitions(Collection<String> partitionKeys) {
        return new Query<>(plan.divided(Branches.partitions(partitionKeys)));
    }

    /**
     * Only partitions whose key begins in one of these ways, each read by a query of its own; for the prefixes of a hashed
     * {@link io.stowline.projection.KeyFormat#prefixes KeyFormat}.
     *
     * @param prefixes the prefixes, at least one and none empty; results come in their order unless {@link #unordered} says otherwise
     * @return the divided query
     * @throws IllegalArgumentException if there is none, one is empty or there twice, or one begins with another one
     * @throws IllegalStateException if the query is divided already
     */
    public Query<T> partitionPrefixes(List<String> prefixes) {
        return new Query<>(plan.divided(Branches.prefixes(prefixes)));
    }

    /**
     * The same query in parts of the range of partition keys: below the first of these keys, from each to below the next, and from the last
     * one on. It finds what it would find undivided, and its class is the same.
     *
     * @param partitionKeys where the range is split, at least one key, ascending
     * @return the divided query
     * @throws IllegalArgumentException if there is none, or they do not ascend
     * @throws IllegalStateException if the query is divided already
     */
    public Query<T> splitAt(String... partitionKeys) {
        return new Query<>(plan.divided(Branches.splitAt(partitionKeys)));
    }

    /**
     * Sets how many parts of a divided query are read at a time.
     *
     * @param parts 1 to 64; the default is 4
     * @return the query with this parallelism
     * @throws IllegalStateException if the query is not divided
     */
    public Query<T> parallelism(int parts) {
        return new Query<>(plan.parallelism(parts));
    }

    /**
     * Takes the results of a divided query as they come, so that no part waits for another one.
     *
     * @return the query without an order between its parts
     * @throws IllegalStateException if the query is not divided
     */
    public Query<T> unordered() {
        return new Query<>(plan.unordered());
    }

    /**
     * Reads rows as another record, and fetches only that record's properties.
     *
     * @param type the record; it needs no keys
     * @param <R> the record
     * @return the projected query
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    public <R> Query<R> as(Class<R> type) {
        return new Query<>(plan.as(type));
    }

    /**
     * Reads rows as entities that have only these properties, and fetches no others but the keys.
     *
     * @param properties their names
     * @return the projected query
     */
    public Query<Entity> select(String... properties) {
        return new Query<>(plan.select(properties));
    }

    /**
     * Sets how many rows the service puts into one page at the most. It does not limit the results.
     *
     * @param rows 1 to 1,000; the default is 1,000
     * @return the query with this page size
     */
    public Query<T> pageSize(int rows) {
        return new Query<>(plan.pageSize(rows));
    }

    /**
     * Sets how many results there are at the most, whatever the pages.
     *
     * @param results at least 1; the default is no limit
     * @return the limited query
     */
    public Query<T> limit(long results) {
        return new Query<>(plan.limit(results));
    }

    /**
     * What the service has to look at, by what the conditions say of the keys; of a divided query the dearest of its parts. Only conditions
     * that must hold count: what is said in an {@code or}, a {@code not} or raw text narrows nothing.
     *
     * @return the class
     */
    public QueryClass queryClass() {
        return plan.queryClass();
    }

    /**
     * Passes over entities that cannot be read as the query's type, instead of failing at the first one.
     *
     * @param skipped is given each of them, to be counted or logged; what it throws fails the query
     * @return the query that skips
     */
    public Query<T> skipUnreadable(Consumer<? super UnreadableEntityException> skipped) {
        return new Query<>(plan.skipUnreadable(skipped));
    }

    /**
     * The results, fetched as they are read. Close the stream if it is not read to its end; then nothing more is requested.
     *
     * @return the results
     * @throws IllegalStateException if this is a scan and the table's {@link ScanPolicy} refuses it
     */
    public Stream<T> stream() {
        return PageStream.values(plan);
    }

    /**
     * The results with their ETags, fetched as they are read. Pages are about a quarter larger than those of {@link #stream}, since
     * only the service's full metadata promises ETags in lists.
     *
     * <p>Where {@link Table#readFrom} allows it, the first page may come from the secondary; the pages after it come from where it came
     * from, and fail if that place does. On the secondary partitions may be out of step with each other.
     *
     * @return the results, each with its {@link Stored#origin origin}
     */
    public Stream<Stored<T>> streamStored() {
        return PageStream.stored(plan);
    }

    /**
     * All results.
     *
     * @return the results in a list
     */
    public List<T> list() {
        try (Stream<T> results = stream()) {
            return results.toList();
        }
    }

    /**
     * The first result.
     *
     * @return the first result, if there is one
     */
    public Optional<T> first() {
        try (Stream<T> results = limit(1).stream()) {
            return results.findFirst();
        }
    }
}
