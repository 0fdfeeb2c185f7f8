package io.stowline.table.internal.query;

import io.stowline.table.internal.request.QueryPage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Operators;

/** The pages of a walk as a Flux that asks for a page only when one is wanted. */
public final class PageFlux {

    private final PageIterator walk;
    private final FluxSink<QueryPage> sink;
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicInteger asks = new AtomicInteger();

    private PageFlux(PageIterator walk, FluxSink<QueryPage> sink) {
        this.walk = walk;
        this.sink = sink;
    }

    /**
     * The pages of a query.
     *
     * @param walk makes a walk for each subscriber
     * @return the pages; cancelling stops the requests
     */
    public static Flux<QueryPage> of(Supplier<PageIterator> walk) {
        return Flux.create(sink -> new PageFlux(walk.get(), sink).start());
    }

    private void start() {
        sink.onDispose(walk::cancel);
        sink.onRequest(more -> {
            wanted.accumulateAndGet(more, Operators::addCap);
            ask();
        });
    }

    /** A page that is there already asks for the next one while it is being requested: the loop spares the stack. */
    private void ask() {
        if (asks.getAndIncrement() != 0) {
            return;
        }
        do {
            if (wanted.get() > 0 && busy.compareAndSet(false, true)) {
                walk.next().subscribe(this::arrived, this::failed, this::settled);
            }
        } while (asks.decrementAndGet() != 0);
    }

    private void arrived(QueryPage page) {
        wanted.decrementAndGet();
        sink.next(page);
    }

    private void failed(Throwable error) {
        if (!sink.isCancelled()) {
            sink.error(error);
        }
    }

    private void settled() {
        if (walk.ended()) {
            sink.complete();
            return;
        }
        busy.set(false);
        ask();
    }
}
