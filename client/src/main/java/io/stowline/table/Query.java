package io.stowline.table;

import io.stowline.projection.filter.Filter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A query over the entities of a table, in the order of partition key and row key.
 *
 * <p>Give the partition and a range of row keys where you can: the service scans, and counts against its limits, all rows that the keys do
 * not exclude. {@link #queryClass} shows how much that is. Of a record type only its own properties are fetched ({@code $select}).
 *
 * <p>A query of several partitions is read in parts beside each other: {@link #partitions}, {@link #partitionPrefixes} or
 * {@link #splitAt}, one of them and once. Of each part that is being read two pages are held at the most; one that fails ends all.
 *
 * <p>Continuations are followed, empty pages included. One page is fetched ahead of the reader; where a {@link #limit} is set, none is.
 * Immutable and thread-safe: each step gives a new query. Failures are those of {@link Table}.
 *
 * @param <T> what a result is
 */
public interface Query<T> {

    /**
     * Restricts the query to one partition.
     *
     * @param partitionKey the partition
     * @return the narrowed query
     * @throws IllegalStateException if the query is for another partition already: together they would find nothing
     */
    Query<T> partition(String partitionKey);

    /**
     * Restricts the query to rows whose key has this prefix.
     *
     * @param prefix the beginning of the row key
     * @return the narrowed query
     */
    Query<T> rowPrefix(String prefix);

    /**
     * Restricts the query to rows whose key is in this range.
     *
     * @param from the first key of the range
     * @param below the first key after the range
     * @return the narrowed query
     * @throws IllegalArgumentException if {@code from} comes after {@code below}
     */
    Query<T> rowRange(String from, String below);

    /**
     * Restricts the query to entities that match this condition. Several conditions must all hold.
     *
     * @param filter the condition
     * @return the narrowed query
     * @throws IllegalArgumentException if the query then has more than the 15 comparisons that the service takes, or if a value is not
     *     of the type in which this table's record stores the property, so that nothing could be found
     */
    Query<T> where(Filter filter);

    /**
     * Restricts the query to these partitions, each read by a separate query.
     *
     * @param partitionKeys the partitions, at least one; results come in their order unless the query is {@link #unordered}
     * @return the divided query
     * @throws IllegalArgumentException if there is none, or one is there twice
     * @throws IllegalStateException if the query is divided already
     */
    Query<T> partitions(Collection<String> partitionKeys);

    /**
     * Restricts the query to partitions whose key begins with one of these prefixes, each read by a separate query; for the prefixes of a
     * hashed {@link io.stowline.projection.key.KeyFormat#prefixes KeyFormat}.
     *
     * @param prefixes the prefixes, at least one and none empty; results come in their order unless the query is {@link #unordered}
     * @return the divided query
     * @throws IllegalArgumentException if there is none, one is empty or there twice, or one begins with another one
     * @throws IllegalStateException if the query is divided already
     */
    Query<T> partitionPrefixes(List<String> prefixes);

    /**
     * Returns the same query in parts of the range of partition keys: below the first of these keys, from each to below the next, and from
     * the last one on. It finds what it would find undivided, and its class is the same.
     *
     * @param partitionKeys where the range is split, at least one key, ascending
     * @return the divided query
     * @throws IllegalArgumentException if there is none, or they do not ascend
     * @throws IllegalStateException if the query is divided already
     */
    Query<T> splitAt(String... partitionKeys);

    /**
     * Sets how many parts of a divided query are read at a time.
     *
     * @param parts 1 to 64; the default is 4
     * @return the query with this parallelism
     * @throws IllegalStateException if the query is not divided
     */
    Query<T> parallelism(int parts);

    /**
     * Takes the results of a divided query as they come, so that no part waits for another one.
     *
     * @return the query without an order between its parts
     * @throws IllegalStateException if the query is not divided
     */
    Query<T> unordered();

    /**
     * Reads rows as another record, and fetches only that record's properties. If it has a {@link io.stowline.projection.RowPrefix} or a
     * {@link io.stowline.projection.Discriminator}, the query finds its rows only. A sealed interface reads each row as the record that it is;
     * a row of none of them is an {@link UnreadableEntityException}, which {@link #skipUnreadable} passes over.
     *
     * @param type the record; it needs no keys. Or a sealed interface of such records
     * @param <R> the record
     * @return the projected query
     * @throws io.stowline.projection.UnmappableTypeException if the type cannot be mapped
     */
    <R> Query<R> as(Class<R> type);

    /**
     * Reads rows as entities that have only these properties, and fetches no others but the keys.
     *
     * @param properties their names, of which {@code Timestamp} may be one
     * @return the projected query
     */
    Query<Entity> select(String... properties);

    /**
     * Sets how many rows the service puts into one page at the most. It does not limit the results.
     *
     * @param rows 1 to 1,000; the default is 1,000
     * @return the query with this page size
     */
    Query<T> pageSize(int rows);

    /**
     * Sets how many results there are at the most, whatever the pages.
     *
     * @param results at least 1; the default is no limit
     * @return the limited query
     */
    Query<T> limit(long results);

    /**
     * Sets how long the pages of the query may be in flight, all of them and of all its parts together; pages beside each other count once.
     * A page that is fetched ahead counts also while the reader works. The time stands still only while no page is in flight. When it is over, the page in flight is cancelled and the reader gets a
     * {@link io.stowline.error.DeadlineExceededException} after the results that have come.
     *
     * <p>There is none unless it is set: each page has the deadline of the table's retry settings, and a scan of a large table rightly takes
     * hours. A service that repeats a continuation is found without it; one that invents new ones for ever is not.
     *
     * @param time the time, more than zero
     * @return the query with this deadline
     */
    Query<T> deadline(Duration time);

    /**
     * Returns which part of the table the service scans, by the conditions on the keys; of a divided query the dearest class of its parts.
     * Only conditions that must hold count: an {@code or}, a {@code not} or raw text narrows nothing.
     *
     * @return {@code point}, {@code row-range}, {@code partition}, {@code partition-range} or {@code table-scan}, from the cheapest to the
     *     dearest; as observations have it in the tag {@code query.class}
     */
    String queryClass();

    /**
     * Passes over entities that cannot be read as the query's type, instead of failing at the first one.
     *
     * @param skipped is given each of them, to be counted or logged; what it throws fails the query
     * @return the query that skips
     */
    Query<T> skipUnreadable(Consumer<? super UnreadableEntityException> skipped);

    /**
     * Returns the results, fetched as they are read. Close the stream if it is not read to its end; then nothing more is requested, and a
     * reader who goes on gets an {@link IllegalStateException}.
     *
     * @return the results
     * @throws IllegalStateException if this is a scan and the table's {@link ScanPolicy} refuses it
     */
    Stream<T> stream();

    /**
     * Returns the results with their ETags, fetched as they are read. Pages are about a quarter larger than those of {@link #stream}, since
     * only the service's full metadata promises ETags in lists.
     *
     * <p>Where {@link Table#withReadPreference} allows it, the first page may come from the secondary; the pages after it come from where it came
     * from, and fail if that place does. On the secondary partitions may be out of step with each other.
     *
     * @return the results, each with its {@link StoredEntity#origin origin}
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
     * Returns how many results there are. The service has no count: it sends the keys of all results, about 60 bytes each, and the request
     * costs as much of the table's capacity as reading them.
     *
     * @return the number, at most the {@link #limit}
     */
    long count();

    /**
     * Returns the first page, with a token that continues after it: for a caller that goes on elsewhere or later, such
     * as the next request to a web application. {@link #pageSize} sets how many results a page has; a page is full
     * unless it is the last one, however the service divides its responses.
     *
     * <pre>{@code
     * Query.Page<Runner> page = runners.query().partition("full").pageSize(50).page();
     * Optional<String> next = page.nextToken();
     * }</pre>
     *
     * @return the page
     * @throws IllegalStateException if the query is divided or has a {@link #limit}, or is a scan that the table's
     *     {@link ScanPolicy} refuses
     */
    Page<T> page();

    /**
     * Returns the page after another one. It begins behind the last key of that page: rows that were inserted before it since are not
     * returned, and none is returned twice.
     *
     * <p>The token belongs to table and conditions; the page size and the type of the results may differ. It holds keys in readable form and is
     * not signed: a caller who alters it can begin at another key, but never sees what the conditions exclude.
     *
     * @param token {@link Page#nextToken} of the page before
     * @return the page
     * @throws IllegalArgumentException if the text is no page token, or that of another query
     * @throws IllegalStateException as for {@link #page()}
     */
    Page<T> page(String token);

    /**
     * Returns the first page, each result with its ETag; see {@link #page()}. Its response is about a quarter larger. A token of either form
     * serves both.
     *
     * @return the page
     * @throws IllegalStateException as for {@link #page()}
     */
    Page<StoredEntity<T>> pageStored();

    /**
     * Returns the page after another one, each result with its ETag; see {@link #page(String)}.
     *
     * @param token {@link Page#nextToken} of the page before
     * @return the page
     * @throws IllegalArgumentException if the text is no page token, or that of another query
     * @throws IllegalStateException as for {@link #page()}
     */
    Page<StoredEntity<T>> pageStored(String token);

    /**
     * Deletes what the query finds. It reads keys and ETags, and deletes in entity group transactions of up to 100 while it reads on. Each
     * deletion holds for the version that was read: an entity that another client changes in between stays and is counted as changed, since it may no longer match.
     *
     * <p>Each page and each transaction has the retries and the deadline of the table; {@link #deadline} bounds the pages only.
     *
     * <p>If a deletion fails for another reason, the call ends with that failure; what was deleted before stays deleted. Repeating the
     * call continues. A call that the client's close cuts ends as {@code UnreachableException} or {@code OutcomeUnknownException}, which
     * names the deletion and the number of those confirmed before it. An interrupt ends it as {@code StorageInterruptedException}, whose
     * facts show whether a deletion was in flight, and how many were confirmed before.
     *
     * @return how many entities were deleted, and how many were not
     * @throws IllegalStateException if this is a scan and the table's {@link ScanPolicy} refuses it
     */
    DeletionReport deleteAll();

    /**
     * The report of {@link Query#deleteAll} on the entities that the query found.
     *
     * @param deleted entities that the call removed
     * @param changed entities that another client changed between the read and the deletion; they stay
     * @param missing entities that another client removed in between
     */
    record DeletionReport(long deleted, long changed, long missing) {}

    /**
     * One page of a query, with the token that continues after it. The token serves any process that runs the same query, at any time.
     *
     * @param values the results, at most {@link Query#pageSize}; fewer than that only at the end
     * @param nextToken continues after this page; empty at the end
     * @param <T> what a result is
     */
    record Page<T>(List<T> values, Optional<String> nextToken) {

        /**
         * Holds a page.
         *
         * @param values the results
         * @param nextToken continues after them
         */
        public Page {
            values = List.copyOf(values);
            Objects.requireNonNull(nextToken, "nextToken");
        }
    }
}
