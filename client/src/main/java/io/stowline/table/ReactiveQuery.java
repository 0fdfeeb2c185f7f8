package io.stowline.table;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Query.DeletionReport;
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

/**
 * The non-blocking face of a {@link Query}: the same steps and ends. Pages are requested as the subscriber requests results, one page
 * ahead; cancelling stops the requests.
 *
 * <p>Immutable and thread-safe; each step gives a new query.
 *
 * @param <T> what a result is
 */
public final class ReactiveQuery<T> {

    private final QueryPlan<T> plan;

    ReactiveQuery(QueryPlan<T> plan) {
        this.plan = plan;
    }

    /**
     * Restricts the query to one partition; see {@link Query#partition}.
     *
     * @param partitionKey the partition
     * @return the narrowed query
     */
    public ReactiveQuery<T> partition(String partitionKey) {
        return new ReactiveQuery<>(plan.partition(partitionKey));
    }

    /**
     * Restricts the query to rows whose key has this prefix; see {@link Query#rowPrefix}.
     *
     * @param prefix the beginning
     * @return the narrowed query
     */
    public ReactiveQuery<T> rowPrefix(String prefix) {
        return new ReactiveQuery<>(plan.rowPrefix(prefix));
    }

    /**
     * Restricts the query to rows in this range; see {@link Query#rowRange}.
     *
     * @param from the first key
     * @param below the key after the last
     * @return the narrowed query
     */
    public ReactiveQuery<T> rowRange(String from, String below) {
        return new ReactiveQuery<>(plan.rowRange(from, below));
    }

    /**
     * Restricts the query to entities that match this condition; see {@link Query#where}.
     *
     * @param filter the condition
     * @return the narrowed query
     */
    public ReactiveQuery<T> where(Filter filter) {
        return new ReactiveQuery<>(plan.where(filter));
    }

    /**
     * Restricts the query to these partitions; see {@link Query#partitions}.
     *
     * @param partitionKeys the partitions
     * @return the divided query
     */
    public ReactiveQuery<T> partitions(Collection<String> partitionKeys) {
        return new ReactiveQuery<>(plan.divided(QueryPartitions.partitions(partitionKeys)));
    }

    /**
     * Restricts the query to partitions whose key begins with one of these prefixes; see {@link Query#partitionPrefixes}.
     *
     * @param prefixes the prefixes
     * @return the divided query
     */
    public ReactiveQuery<T> partitionPrefixes(List<String> prefixes) {
        return new ReactiveQuery<>(plan.divided(QueryPartitions.prefixes(prefixes)));
    }

    /**
     * Returns the same query in parts of the range of partition keys; see {@link Query#splitAt}.
     *
     * @param partitionKeys where the range is split
     * @return the divided query
     */
    public ReactiveQuery<T> splitAt(String... partitionKeys) {
        return new ReactiveQuery<>(plan.divided(QueryPartitions.splitAt(partitionKeys)));
    }

    /**
     * Sets how many parts are read at a time; see {@link Query#parallelism}.
     *
     * @param parts 1 to 64
     * @return the query with this parallelism
     */
    public ReactiveQuery<T> parallelism(int parts) {
        return new ReactiveQuery<>(plan.parallelism(parts));
    }

    /**
     * Takes the results as they come; see {@link Query#unordered}.
     *
     * @return the query without an order between its parts
     */
    public ReactiveQuery<T> unordered() {
        return new ReactiveQuery<>(plan.unordered());
    }

    /**
     * Reads rows as another record; see {@link Query#as}.
     *
     * @param type the record
     * @param <R> the record
     * @return the projected query
     */
    public <R> ReactiveQuery<R> as(Class<R> type) {
        return new ReactiveQuery<>(plan.as(type));
    }

    /**
     * Reads only these properties; see {@link Query#select}.
     *
     * @param properties their names
     * @return the projected query
     */
    public ReactiveQuery<Entity> select(String... properties) {
        return new ReactiveQuery<>(plan.select(properties));
    }

    /**
     * Sets the page size; see {@link Query#pageSize}.
     *
     * @param rows 1 to 1,000
     * @return the query with this page size
     */
    public ReactiveQuery<T> pageSize(int rows) {
        return new ReactiveQuery<>(plan.pageSize(rows));
    }

    /**
     * Sets the most results; see {@link Query#limit}.
     *
     * @param results at least 1
     * @return the limited query
     */
    public ReactiveQuery<T> limit(long results) {
        return new ReactiveQuery<>(plan.limit(results));
    }

    /**
     * Sets how long the pages of the query may be in flight, those fetched ahead included; see {@link Query#deadline}.
     *
     * @param time the time, more than zero
     * @return the query with this deadline
     */
    public ReactiveQuery<T> deadline(Duration time) {
        return new ReactiveQuery<>(plan.deadline(time));
    }

    /**
     * Returns which part of the table the service scans; see {@link Query#queryClass}.
     *
     * @return the class
     */
    public QueryClass queryClass() {
        return plan.queryClass();
    }

    /**
     * Passes over entities that cannot be read as the query's type; see {@link Query#skipUnreadable}.
     *
     * @param skipped is given each of them
     * @return the query that skips
     */
    public ReactiveQuery<T> skipUnreadable(Consumer<? super UnreadableEntityException> skipped) {
        return new ReactiveQuery<>(plan.skipUnreadable(skipped));
    }

    /**
     * Returns the results; see {@link Query#stream}.
     *
     * @return the results as they come
     */
    public Flux<T> stream() {
        return results(plan.valuePages(), plan::values);
    }

    /**
     * Returns the results with their versions; see {@link Query#streamStored}.
     *
     * @return the results as they come
     */
    public Flux<StoredEntity<T>> streamStored() {
        return results(plan.versionPages(), plan::rows).map(RowMapper::stored);
    }

    private <R> Flux<R> results(Flux<QueryPage> pages, Function<QueryPage, List<R>> decoding) {
        Flux<R> results = plan.context().service().delivered(pages).concatMapIterable(UserCode.contained(decoding), 1);
        return plan.limit() == 0 ? results : results.take(plan.limit());
    }

    /**
     * Returns all results; see {@link Query#list}.
     *
     * @return the results, when the last has come
     */
    public Mono<List<T>> list() {
        return stream().collectList();
    }

    /**
     * Returns the first result; see {@link Query#first}.
     *
     * @return the first result; empty if there is none
     */
    public Mono<T> first() {
        return limit(1).stream().next();
    }

    /**
     * Returns how many results there are; see {@link Query#count}.
     *
     * @return the number
     */
    public Mono<Long> count() {
        return new ReactiveQuery<>(plan.keys()).stream().count();
    }

    /**
     * Returns the first page; see {@link Query#page()}.
     *
     * @return the page
     */
    public Mono<Query.Page<T>> page() {
        return Mono.defer(() -> new ResultPages<>(plan, null).mono());
    }

    /**
     * Returns the page after another one; see {@link Query#page(String)}.
     *
     * @param token the token of the page before
     * @return the page
     */
    public Mono<Query.Page<T>> page(String token) {
        Objects.requireNonNull(token, "token");
        return Mono.defer(() -> new ResultPages<>(plan, token).mono());
    }

    /**
     * Deletes what the query finds; see {@link Query#deleteAll}.
     *
     * @return how many entities were deleted, and how many were not
     */
    public Mono<DeletionReport> deleteAll() {
        return QueryDeletion.of(plan);
    }
}
