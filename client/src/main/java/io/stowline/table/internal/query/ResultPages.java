package io.stowline.table.internal.query;

import io.stowline.table.Query;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.request.PageTrail;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One page for a caller that goes on elsewhere. The service may send fewer rows than requested, even none, with a continuation; this goes
 * on until the page is full. For one caller.
 */
final class ResultPages<T> {

    private final QueryPlan<T> plan;
    private final String identity;
    private final QueryDeadline deadline;
    private final List<T> values = new ArrayList<>();
    private PageTrail<Continuation> trail;
    private boolean ended;

    ResultPages(QueryPlan<T> plan, @Nullable String token) {
        if (plan.branches().isDivided()) {
            throw new IllegalStateException("a divided query has no page tokens: query each part alone");
        }
        if (plan.limit() != 0) {
            throw new IllegalStateException(
                    "a query with a limit has no page tokens: pageSize says how many results a page has");
        }
        this.plan = plan;
        this.identity = plan.identity();
        this.deadline = plan.time();
        this.trail = PageTrail.start(deadline.timer());
        if (token != null) {
            trail = trail.onwards(PageToken.continuation(identity, token), false);
        }
    }

    Query.Page<T> await() {
        while (!isFull()) {
            add(Objects.requireNonNull(BlockingAwait.on(next()), "the page"));
        }
        return page();
    }

    Mono<Query.Page<T>> mono() {
        return Mono.defer(() -> plan.context().service().delivered(next()))
                .doOnNext(page -> UserCode.run(() -> add(page)))
                .repeat(() -> !isFull())
                .then(Mono.fromSupplier(this::page));
    }

    private boolean isFull() {
        return ended || values.size() >= plan.paging().pageSize();
    }

    private Mono<QueryPage> next() {
        return deadline.within(plan.page(trail, plan.paging().pageSize() - values.size()));
    }

    private void add(QueryPage page) {
        values.addAll(plan.values(page));
        Continuation next = page.next();
        ended = next == null;
        trail = next == null ? trail : trail.onwards(next, page.isEmpty());
    }

    private Query.Page<T> page() {
        Continuation next = trail.from();
        return new Query.Page<>(
                values, ended || next == null ? Optional.empty() : Optional.of(PageToken.of(identity, next)));
    }
}
