package io.stowline.table.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Goes through the pages of one query, one after the other; empty pages with a continuation are pages like others. With prefetch
 * the next page is under way while the last one is being read. One taker at a time; {@link #cancel} may come from anywhere.
 */
public final class PageWalk {

    private final TableClient client;
    private final QuerySpec spec;
    private final boolean prefetch;

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Page> underWay;
    private @Nullable Continuation from;
    private boolean ended;

    /**
     * Prepares the walk; nothing is sent yet.
     *
     * @param client the table
     * @param spec what is asked
     * @param prefetch whether to fetch one page ahead
     */
    public PageWalk(TableClient client, QuerySpec spec, boolean prefetch) {
        this.client = client;
        this.spec = spec;
        this.prefetch = prefetch;
    }

    /**
     * The next page.
     *
     * @return the page; empty after the last one or after {@link #cancel}
     */
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
                underWay = client.page(spec, from).toFuture();
            }
            return ended ? null : underWay;
        } finally {
            lock.unlock();
        }
    }

    private void arrived(Page page) {
        lock.lock();
        try {
            underWay = null;
            from = page.next();
            ended |= from == null;
            if (!ended && prefetch) {
                underWay = client.page(spec, from).toFuture();
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

    /** Ends the walk: what is under way is cancelled and nothing more is sent. */
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
