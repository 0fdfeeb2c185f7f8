package io.stowline.table.internal.index;

import io.stowline.projection.filter.Filter;
import io.stowline.table.EntityKey;
import io.stowline.table.IndexLookup;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.index.IndexedRow.IndexedRowCodec;
import io.stowline.table.internal.query.PageToken;
import io.stowline.table.internal.query.QueryPlan;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.request.PageTrail;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The pages of a lookup. An index row that leads to no entity of the lookup counts for nothing: the page goes on until it is full. A token
 * names the last index row that was used, so that no row is passed over however many were read ahead. Immutable.
 *
 * @param rows the index rows of the lookup
 * @param size the results of a page
 * @param results makes the results of one response, in the order of its rows
 */
record IndexPages<R>(QueryPlan<?> rows, int size, Results<R> results) {

    private static final int AT_A_TIME = 8;
    private static final int MAX_ROWS = 1_000;

    /** A function that makes the results of the rows of a response. */
    private interface Results<R> {
        List<Mono<IndexedResult<R>>> of(QueryPage page);
    }

    /**
     * An index row that was used.
     *
     * @param rowKey its key
     * @param value the result; empty if the row leads to none
     */
    private record IndexedResult<R>(String rowKey, Optional<R> value) {}

    /** Returns pages of the copies themselves. */
    static <T> IndexPages<T> ofCopies(IndexedContext<T> context, QueryPlan<T> copies, IndexLookup<T> lookup) {
        return new IndexPages<>(copies, lookup.pageSize(), page -> copied(context, copies, page));
    }

    private static <T> List<Mono<IndexedResult<T>>> copied(
            IndexedContext<T> context, QueryPlan<T> copies, QueryPage page) {
        var found =
                RowDecoder.rowsWithValues(context.table(), page, IndexedRowCodec.OWNERS, context.copies(), row -> true);
        if (found.stream().anyMatch(row -> row.value() == null)) {
            copies.values(page); // throws the reason
        }
        return found.stream()
                .map(row -> Mono.just(new IndexedResult<>(row.row().rowKey(), Optional.ofNullable(row.value()))))
                .toList();
    }

    /** Returns pages of the entities that index rows lead to, in the version that stands there. */
    static <T> IndexPages<StoredEntity<T>> ofEntities(
            IndexedContext<T> context, TableIndex<T> index, QueryPlan<IndexedRow> owners, IndexLookup<T> lookup) {
        return new IndexPages<>(owners, lookup.pageSize(), page -> owners.values(page).stream()
                .map(row -> entity(context, index, row)
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .map(found -> new IndexedResult<>(row.rowKey(), found)))
                .toList());
    }

    /** Returns the entity of an index row; empty if it is gone or has another value now. */
    private static <T> Mono<StoredEntity<T>> entity(IndexedContext<T> context, TableIndex<T> index, IndexedRow row) {
        EntityKey entity = index.owner(row);
        return entity == null
                ? Mono.empty()
                : context.find(entity.partitionKey(), entity.rowKey()).filter(found -> index.value(found.value())
                        .map(value -> index.key(value, entity.partitionKey(), entity.rowKey()))
                        .filter(key -> key.partitionKey().equals(row.partitionKey())
                                && key.rowKey().equals(row.rowKey()))
                        .isPresent());
    }

    Mono<Query.Page<R>> page(@Nullable String token) {
        return Mono.defer(() -> {
            String identity = rows.identity() + "#lookup";
            String after = token == null ? null : rowKey(PageToken.continuation(identity, token));
            Filling filling = new Filling(
                    after == null ? rows : rows.where(Filter.rowKey().greaterThan(after)));
            return Mono.defer(filling::more)
                    .repeat(() -> !filling.isFull())
                    .then(Mono.fromSupplier(() -> filling.page(identity)));
        });
    }

    private static String rowKey(Continuation next) {
        String rowKey = next.rowKey();
        if (rowKey == null) {
            throw new InvalidPageTokenException("the page token belongs to another query: it has no row key", null);
        }
        return rowKey;
    }

    /** A page that is being filled; for one subscriber. */
    private final class Filling {

        private final QueryPlan<?> plan;
        private final List<R> found = new ArrayList<>();
        private PageTrail<Continuation> trail;
        private @Nullable Continuation last;
        private int request = size;
        private boolean ended;

        Filling(QueryPlan<?> plan) {
            this.plan = plan;
            this.trail = PageTrail.start(plan.context().service().timer());
        }

        boolean isFull() {
            return ended || found.size() >= size;
        }

        Mono<Void> more() {
            int before = found.size();
            return plan.context()
                    .service()
                    .delivered(plan.page(trail, request))
                    .flatMap(page -> {
                        List<Mono<IndexedResult<R>>> all = UserCode.call(() -> results.of(page));
                        return Flux.fromIterable(all)
                                .flatMapSequential(Function.identity(), AT_A_TIME, 1)
                                .takeUntil(this::isEnough)
                                .count()
                                .doOnNext(used -> turn(page, used == all.size(), found.size() - before < used));
                    })
                    .then();
        }

        /** Rows that lead nowhere must not cost a request each: more are read at once. */
        private void turn(QueryPage page, boolean whole, boolean stale) {
            Continuation next = page.next();
            ended = next == null && whole;
            trail = next == null ? trail : trail.onwards(next, page.isEmpty());
            request = stale ? Math.min(MAX_ROWS, request * 2) : Math.max(1, size - found.size());
        }

        private boolean isEnough(IndexedResult<R> result) {
            result.value().ifPresent(found::add);
            last = new Continuation("", result.rowKey(), null);
            return found.size() >= size;
        }

        Query.Page<R> page(String identity) {
            Continuation next = last;
            return new Query.Page<>(
                    found, ended || next == null ? Optional.empty() : Optional.of(PageToken.of(identity, next)));
        }
    }
}
