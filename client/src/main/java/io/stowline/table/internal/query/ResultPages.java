package io.stowline.table.internal.query;

import io.stowline.error.BadRequestException;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.request.PageTrail;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One page for a caller that goes on elsewhere. The service may send fewer rows than requested, even none, with a continuation; this goes
 * on until the page is full. For one caller.
 */
final class ResultPages<R> {

    private final QueryPlan<?> plan;
    private final PageRequests requests;
    private final Function<QueryPage, List<R>> decoding;
    private final String identity;
    private final QueryDeadline deadline;
    private final List<R> values = new ArrayList<>();
    private PageTrail<Continuation> trail;
    private final @Nullable String token;
    private boolean begun;
    private boolean ended;

    private ResultPages(
            QueryPlan<?> plan, @Nullable String token, PageRequests requests, Function<QueryPage, List<R>> decoding) {
        if (plan.branches().isDivided()) {
            throw new IllegalStateException("a divided query has no page tokens: query each part alone");
        }
        if (plan.limit() != 0) {
            throw new IllegalStateException(
                    "a query with a limit has no page tokens: pageSize says how many results a page has");
        }
        this.plan = plan;
        this.requests = requests;
        this.decoding = decoding;
        this.token = token;
        this.identity = plan.identity();
        this.deadline = plan.time();
        this.trail = PageTrail.start(deadline.timer());
        if (token != null) {
            trail = trail.onwards(PageToken.continuation(identity, token), false);
        }
    }

    /** A function that requests one page of so many rows at most. */
    private interface PageRequests {
        Mono<QueryPage> page(PageTrail<Continuation> trail, int rows);
    }

    static <T> ResultPages<T> values(QueryPlan<T> plan, @Nullable String token) {
        return new ResultPages<>(plan, token, plan::page, plan::values);
    }

    /** Returns a page with ETags. */
    static <T> ResultPages<StoredEntity<T>> stored(QueryPlan<T> plan, @Nullable String token) {
        return new ResultPages<>(plan, token, plan::versionPage, page -> plan.rows(page).stream()
                .map(RowMapper::stored)
                .toList());
    }

    Query.Page<R> await() {
        while (!isFull()) {
            add(Objects.requireNonNull(BlockingAwait.on(next()), "the page"));
        }
        return page();
    }

    Mono<Query.Page<R>> mono() {
        return Mono.defer(() -> plan.context().service().delivered(next()))
                .doOnNext(page -> UserCode.run(() -> add(page)))
                .repeat(() -> !isFull())
                .then(Mono.fromSupplier(this::page));
    }

    private boolean isFull() {
        return ended || values.size() >= plan.paging().pageSize();
    }

    private Mono<QueryPage> next() {
        Mono<QueryPage> page =
                deadline.within(requests.page(trail, plan.paging().pageSize() - values.size()));
        return begun || token == null ? page : page.onErrorMap(BadRequestException.class, PageToken::refused);
    }

    private void add(QueryPage page) {
        begun = true;
        values.addAll(decoding.apply(page));
        Continuation next = page.next();
        ended = next == null;
        trail = next == null ? trail : trail.onwards(next, page.isEmpty());
    }

    private Query.Page<R> page() {
        Continuation next = trail.from();
        return new Query.Page<>(
                values, ended || next == null ? Optional.empty() : Optional.of(PageToken.of(identity, next)));
    }
}
