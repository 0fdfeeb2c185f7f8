package io.stowline.table.internal.query;

import io.stowline.error.FailureDetails;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.QueryPage.PageSource;
import io.stowline.table.internal.request.QuerySpec;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.concurrent.CancelledCalls;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import io.stowline.transport.internal.request.PageFlux.Pages;
import io.stowline.transport.internal.request.PageTrail;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * An iterator that goes through the pages of one query, one after the other; empty pages with a continuation are pages like others. With prefetch
 * the next page is in flight while the last one is being read. A walk that may go to the secondary stays where its first page came
 * from. One taker at a time; {@link #cancel} may come from anywhere.
 */
public final class PageIterator implements PageSource, Pages<QueryPage> {

    private final TableOperations operations;
    private final QuerySpec spec;
    private final boolean prefetch;
    private final boolean located;
    private final QueryDeadline deadline;

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<QueryPage> inFlight;
    private PageTrail<Continuation> trail;
    private @Nullable ReadOrigin before;
    private boolean ended;

    /**
     * Prepares the walk; nothing is sent yet.
     *
     * @param prefetch whether to fetch one page ahead
     * @param located whether the reader of the pages learns where they come from, so that it need not be the primary
     * @param deadline the time of the query that the walk is a part of
     */
    public PageIterator(
            TableOperations operations, QuerySpec spec, boolean prefetch, boolean located, QueryDeadline deadline) {
        this.operations = operations;
        this.spec = spec;
        this.prefetch = prefetch;
        this.located = located;
        this.deadline = deadline;
        this.trail = PageTrail.start(deadline.timer());
    }

    @Override
    public Mono<QueryPage> next() {
        return Mono.deferContextual(caller -> {
            CompletableFuture<QueryPage> page = inFlight(caller);
            if (page == null) {
                return Mono.empty();
            }
            long requested = now();
            Runnable note = () -> CancelledCalls.note(caller, () -> givenUp(requested));
            return Mono.fromFuture(page)
                    .doOnNext(arrived -> arrived(arrived, caller))
                    .doOnError(CancellationException.class, ended -> note.run())
                    .doOnCancel(note);
        });
    }

    private FailureDetails givenUp(long requested) {
        return givenUp(operations.table(), Duration.ofNanos(now() - requested));
    }

    /**
     * Returns the facts of a wait for a page that is given up.
     *
     * @param waited how long it was waited for
     */
    public static FailureDetails givenUp(String table, Duration waited) {
        return FailureFacts.of("query", table)
                .tried(1, 0, waited)
                .because("no page had come", OperationScope.INTERRUPTED);
    }

    private long now() {
        return deadline.timer().now(TimeUnit.NANOSECONDS);
    }

    private @Nullable CompletableFuture<QueryPage> inFlight(ContextView caller) {
        lock.lock();
        try {
            if (inFlight == null && !ended) {
                inFlight = page(caller);
            }
            return ended ? null : inFlight;
        } finally {
            lock.unlock();
        }
    }

    /** A page that is fetched ahead has the context of the caller before, which does not wait for it. */
    private CompletableFuture<QueryPage> page(ContextView caller) {
        ReadRoute routing = located ? operations.reads().onwards(before) : null;
        return deadline.within(operations.page(spec, trail, routing))
                .contextWrite(own -> own.putAll(CancelledCalls.without(caller)))
                .toFuture();
    }

    private void arrived(QueryPage page, ContextView caller) {
        lock.lock();
        try {
            inFlight = null;
            Continuation next = page.next();
            before = page.response().origin();
            ended |= next == null;
            trail = next == null ? trail : trail.onwards(next, page.isEmpty());
            if (!ended && prefetch) {
                inFlight = page(caller);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean ended() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel() {
        CompletableFuture<QueryPage> running;
        lock.lock();
        try {
            ended = true;
            running = inFlight;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.cancel(true);
        }
    }
}
