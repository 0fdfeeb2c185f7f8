package io.stowline.table.internal;

import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.Routing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Goes through the pages of one query, one after the other; empty pages with a continuation are pages like others. With prefetch
 * the next page is under way while the last one is being read. A walk that may go to the secondary stays where its first page came
 * from. One taker at a time; {@link #cancel} may come from anywhere.
 */
public final class PageWalk implements PageSource {

    private final TableClient client;
    private final QuerySpec spec;
    private final boolean prefetch;
    private final boolean located;

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Page> underWay;
    private @Nullable Continuation from;
    private @Nullable ReadOrigin before;
    private boolean ended;

    /**
     * Prepares the walk; nothing is sent yet.
     *
     * @param client the table
     * @param spec what is asked
     * @param prefetch whether to fetch one page ahead
     * @param located whether whoever reads the pages is told where they come from, so that it need not be the primary
     */
    public PageWalk(TableClient client, QuerySpec spec, boolean prefetch, boolean located) {
        this.client = client;
        this.spec = spec;
        this.prefetch = prefetch;
        this.located = located;
    }

    @Override
    public Mono<Page> next() {
        return Mono.defer(() -> {
            CompletableFuture<Page> page = underWay();
            return page == null ? Mono.empty() : Mono.fromFuture(page).doOnNext(this::arrived);
        });
    }

    private @Nullable CompletableFuture<Page> underWay() {
        lock.lock();
        try {
            if (underWay == null && !ended) {
                underWay = page();
            }
            return ended ? null : underWay;
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<Page> page() {
        Routing routing = located ? client.reads().onwards(before) : null;
        return client.page(spec, from, routing).toFuture();
    }

    private void arrived(Page page) {
        lock.lock();
        try {
            underWay = null;
            from = page.next();
            before = page.answer().origin();
            ended |= from == null;
            if (!ended && prefetch) {
                underWay = page();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the last page has been taken.
     *
     * @return true after the last page or {@link #cancel}
     */
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
        CompletableFuture<Page> running;
        lock.lock();
        try {
            ended = true;
            running = underWay;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.cancel(true);
        }
    }
}
