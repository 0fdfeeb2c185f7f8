package io.stowline.table.internal.query;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.Entity;
import io.stowline.table.UnreadableEntityException;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.RowReader.DecodedRow;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.request.QueryClass;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.QueryPage.PageSource;
import io.stowline.table.internal.request.QueryShape;
import io.stowline.table.internal.request.QuerySpec;
import io.stowline.transport.internal.error.SimultaneousFailures;
import io.stowline.transport.internal.request.PageFlux;
import io.stowline.transport.internal.request.PageTrail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The plan of a query, collected by either face. Immutable: each step gives a new plan.
 *
 * @param context the table
 * @param codec reads the rows
 * @param filters conditions that must all hold
 * @param paging the limits of rows, results and time
 * @param branches the parts that are read beside each other
 * @param skipped takes the rows that cannot be read, or null if they fail the query
 */
public record QueryPlan<T>(
        TableContext<?> context,
        EntityCodec<T> codec,
        List<Filter> filters,
        PageLimits paging,
        QueryPartitions branches,
        @Nullable Consumer<? super UnreadableEntityException> skipped) {

    public static <T> QueryPlan<T> of(TableContext<T> context) {
        return new QueryPlan<>(
                        context, context.codec(), context.always(), PageLimits.DEFAULT, QueryPartitions.NONE, null)
                .narrowed(context.codec().narrowing());
    }

    private QueryPlan<T> narrowed(Optional<Filter> rows) {
        if (rows.isEmpty() || filters.contains(rows.get())) {
            return this;
        }
        List<Filter> more = new ArrayList<>(filters);
        more.add(rows.get());
        return new QueryPlan<>(context, codec, List.copyOf(more), paging, branches, skipped).checked();
    }

    public QueryPlan<T> where(Filter filter) {
        Objects.requireNonNull(filter, "filter");
        context.codec().check(filter);
        List<Filter> more = new ArrayList<>(filters);
        more.add(filter);
        return new QueryPlan<>(context, codec, List.copyOf(more), paging, branches, skipped).checked();
    }

    public QueryPlan<T> partition(String key) {
        Filter only = Filter.partitionKey().equalTo(KeyRules.check("PartitionKey", key));
        String before = partition(filters);
        if (before != null && !before.equals(key)) {
            throw new IllegalStateException("the query is for the partition '" + before
                    + "' already, so that with the partition '" + key
                    + "' it finds nothing; partitions(..) reads several");
        }
        return where(only);
    }

    public QueryPlan<T> rowPrefix(String prefix) {
        return where(Filter.rowKey().startsWith(KeyRules.check("row key prefix", prefix)));
    }

    public QueryPlan<T> rowRange(String from, String below) {
        KeyRules.check("from", from);
        KeyRules.check("below", below);
        if (from.compareTo(below) > 0) {
            throw new InvalidKeyException("the range of row keys: from comes after below");
        }
        return where(Filter.rowKey().atLeast(from).and(Filter.rowKey().lessThan(below)));
    }

    QueryPlan<T> divided(QueryPartitions parts) {
        if (branches.isDivided()) {
            throw new IllegalStateException("the query is divided already");
        }
        return with(parts).checked();
    }

    QueryPlan<T> parallelism(int parts) {
        return with(branches.parallelism(parts));
    }

    QueryPlan<T> unordered() {
        return with(branches.unordered());
    }

    private QueryPlan<T> with(QueryPartitions parts) {
        return new QueryPlan<>(context, codec, filters, paging, parts, skipped);
    }

    QueryPlan<T> pageSize(int size) {
        return new QueryPlan<>(context, codec, filters, paging.pageSize(size), branches, skipped);
    }

    QueryPlan<T> limit(long max) {
        return new QueryPlan<>(context, codec, filters, paging.limit(max), branches, skipped);
    }

    QueryPlan<T> deadline(Duration time) {
        return new QueryPlan<>(context, codec, filters, paging.deadline(time), branches, skipped);
    }

    QueryPlan<T> skipUnreadable(Consumer<? super UnreadableEntityException> taker) {
        Objects.requireNonNull(taker, "skipped");
        return new QueryPlan<>(context, codec, filters, paging, branches, taker);
    }

    long limit() {
        return paging.limit();
    }

    <R> QueryPlan<R> as(Class<R> type) {
        Objects.requireNonNull(type, "type");
        EntityCodec<R> target = TableContext.codec(type, context.mapping());
        return reading(target).narrowed(target.narrowing());
    }

    QueryPlan<Entity> select(String... properties) {
        Objects.requireNonNull(properties, "properties");
        List<String> names = new ArrayList<>(List.of("PartitionKey", "RowKey"));
        for (String property : properties) {
            names.add(PropertyNames.TIMESTAMP.equals(property) ? property : PropertyNames.check(property));
        }
        return reading(new EntityObjectCodec(List.copyOf(names)));
    }

    private <R> QueryPlan<R> reading(EntityCodec<R> target) {
        return new QueryPlan<>(context, target, filters, paging, branches, skipped);
    }

    /** Every part is sent with all conditions, its own included, so that each has to pass the check. */
    private QueryPlan<T> checked() {
        for (List<Filter> part : parts()) {
            if (!part.isEmpty()) {
                Filter.all(part).checked();
            }
        }
        return this;
    }

    /** The conditions of each part; those of the query if it is not divided. */
    private List<List<Filter>> parts() {
        return branches.isDivided()
                ? branches.conditions().stream().map(this::with).toList()
                : List.of(filters);
    }

    private List<Filter> with(Filter condition) {
        List<Filter> all = new ArrayList<>(filters);
        all.add(condition);
        return all;
    }

    /** Returns the most expensive class of its parts. */
    QueryClass queryClass() {
        if (branches.covering()) {
            return queryClass(filters);
        }
        return parts().stream()
                .map(QueryPlan::queryClass)
                .max(Comparator.naturalOrder())
                .orElse(QueryClass.TABLE_SCAN);
    }

    /** Counts only conditions that must hold. */
    private static QueryClass queryClass(List<Filter> conditions) {
        if (conditions.stream().noneMatch(filter -> filter.bounds("PartitionKey"))) {
            return QueryClass.TABLE_SCAN;
        }
        if (conditions.stream().noneMatch(filter -> filter.fixes("PartitionKey"))) {
            return QueryClass.PARTITION_RANGE;
        }
        if (conditions.stream().noneMatch(filter -> filter.bounds("RowKey"))) {
            return QueryClass.PARTITION;
        }
        return conditions.stream().anyMatch(filter -> filter.fixes("RowKey")) ? QueryClass.POINT : QueryClass.ROW_RANGE;
    }

    /** Begins to read for a blocking caller: values only, which have no place for their origin, so that they come of the primary. */
    PageSource values() {
        return source(codec.listLevel(), false);
    }

    /** Returns the rows with ETags: only full metadata promises them in a list. */
    PageSource versions() {
        return source(MetadataLevel.FULL, true);
    }

    public Flux<QueryPage> valuePages() {
        return pages(codec.listLevel(), false);
    }

    Flux<QueryPage> versionPages() {
        return pages(MetadataLevel.FULL, true);
    }

    private PageSource source(MetadataLevel level, boolean located) {
        QueryClass kind = started();
        QueryDeadline time = time();
        long began = time.timer().now(TimeUnit.NANOSECONDS);
        return branches.isDivided()
                ? new BlockingPageSource(
                        merged(kind, level, located, time),
                        () -> PageIterator.givenUp(
                                context.operations().table(),
                                Duration.ofNanos(time.timer().now(TimeUnit.NANOSECONDS) - began)))
                : walk(filters, kind, level, located, time);
    }

    private Flux<QueryPage> pages(MetadataLevel level, boolean located) {
        return Flux.defer(() -> {
            QueryClass kind = started();
            QueryDeadline time = time();
            return branches.isDivided()
                    ? merged(kind, level, located, time)
                    : PageFlux.of(() -> walk(filters, kind, level, located, time));
        });
    }

    /** Each part that is being read has one page that waits and one in flight at most. */
    private Flux<QueryPage> merged(QueryClass kind, MetadataLevel level, boolean located, QueryDeadline time) {
        Flux<List<Filter>> parts = Flux.fromIterable(parts());
        Function<List<Filter>, Flux<QueryPage>> read =
                part -> PageFlux.of(() -> walk(part, kind, level, located, time));
        Flux<QueryPage> pages = branches.ordered()
                ? parts.flatMapSequential(read, branches.parallelism(), 1)
                : parts.flatMap(read, branches.parallelism(), 1);
        return pages.onErrorMap(SimultaneousFailures::first);
    }

    /** Returns one page with at most so many rows, of the primary. */
    public Mono<QueryPage> page(PageTrail<Continuation> trail, int rows) {
        return page(trail, rows, codec.listLevel());
    }

    /** Returns one page with ETags, of the primary. */
    Mono<QueryPage> versionPage(PageTrail<Continuation> trail, int rows) {
        return page(trail, rows, MetadataLevel.FULL);
    }

    private Mono<QueryPage> page(PageTrail<Continuation> trail, int rows, MetadataLevel level) {
        return Mono.defer(() -> context.operations().page(spec(filters, started(), level, rows), trail, null));
    }

    /**
     * Returns the identity of the query, to which a page token belongs: two queries of one identity find the same rows
     * in the same order.
     */
    public String identity() {
        return context.operations().table()
                + '?'
                + (filters.isEmpty() ? "" : Filter.all(filters).toOData());
    }

    /** Returns the plan with only the keys of its rows, which are those of its type. */
    QueryPlan<Entity> keys() {
        return narrowed(codec.rows()).select();
    }

    /** Returns the deadline that all parts of one reading share. */
    QueryDeadline time() {
        return new QueryDeadline(
                context.operations().table(),
                paging.deadline(),
                context.service().timer());
    }

    private QueryClass started() {
        QueryClass kind = queryClass();
        if (kind == QueryClass.TABLE_SCAN) {
            context.operations()
                    .scanned(filters.isEmpty() ? "" : Filter.all(filters).toString());
        }
        return kind;
    }

    private PageIterator walk(
            List<Filter> conditions, QueryClass kind, MetadataLevel level, boolean located, QueryDeadline time) {
        QuerySpec spec = spec(conditions, kind, level, paging.top());
        return new PageIterator(context.operations(), spec, paging.prefetch(), located, time);
    }

    private QuerySpec spec(List<Filter> conditions, QueryClass kind, MetadataLevel level, @Nullable Integer top) {
        String filter = conditions.isEmpty() ? null : Filter.all(conditions).toOData();
        return new QuerySpec(
                filter,
                codec.select(),
                level,
                top,
                partition(conditions),
                kind,
                filters(conditions),
                context.operations().hasListener() ? QueryShape.of(filter) : null,
                codec.mapped());
    }

    /**
     * Returns whether anything but one range of keys decides; row keys make a range within one partition only. The library's own conditions
     * keep out rows that should not be there, and index rows.
     */
    private boolean filters(List<Filter> conditions) {
        boolean one = conditions.stream().anyMatch(condition -> condition.fixes("PartitionKey"));
        return !conditions.stream()
                .filter(condition -> !context.always().contains(condition))
                .allMatch(condition ->
                        one ? condition.boundsOnly("PartitionKey", "RowKey") : condition.boundsOnly("PartitionKey"));
    }

    private static @Nullable String partition(List<Filter> conditions) {
        return conditions.stream()
                .flatMap(condition -> condition.fixed("PartitionKey").stream())
                .map(Object::toString)
                .findFirst()
                .orElse(null);
    }

    public List<T> values(QueryPage page) {
        return RowDecoder.values(context.operations().table(), page, codec, skipped);
    }

    List<DecodedRow<T>> rows(QueryPage page) {
        return RowDecoder.rows(context.operations().table(), page, codec, skipped);
    }
}
