package io.stowline.transport.internal.request;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** The pages of a list as a Flux that requests a page only when one is wanted. While its reader pauses no operation is in flight. */
public final class PageFlux<P> {

    private final Pages<P> pages;
    private final FluxSink<P> sink;
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicInteger requests = new AtomicInteger();
    private final Disposable.Swap running = Disposables.swap();

    /**
     * A source that gives one page after the other to one taker.
     *
     * @param <P> a page
     */
    public interface Pages<P> {

        /** Returns the next page; empty after the last one or after {@link #cancel}. */
        Mono<P> next();

        /** Returns whether the last page was given, or the list cancelled. */
        boolean ended();

        /** Ends the list. May come from anywhere. */
        void cancel();
    }

    private PageFlux(Pages<P> pages, FluxSink<P> sink) {
        this.pages = pages;
        this.sink = sink;
    }

    /**
     * Returns the pages of a list.
     *
     * @param pages makes the list for each subscriber
     * @return the pages; cancelling stops the requests
     */
    public static <P> Flux<P> of(Supplier<? extends Pages<P>> pages) {
        return Flux.create(sink -> new PageFlux<>(pages.get(), sink).start());
    }

    private void start() {
        sink.onDispose(() -> {
            pages.cancel();
            running.dispose();
        });
        sink.onRequest(more -> {
            wanted.accumulateAndGet(more, Operators::addCap);
            request();
        });
    }

    /** A page that has arrived already requests the next one within its request: the loop spares the stack. */
    private void request() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        do {
            if (wanted.get() > 0 && busy.compareAndSet(false, true)) {
                running.update(pages.next()
                        .contextWrite(sink.contextView())
                        .subscribe(this::arrived, this::failed, this::settled));
            }
        } while (requests.decrementAndGet() != 0);
    }

    private void arrived(P page) {
        wanted.decrementAndGet();
        sink.next(page);
    }

    private void failed(Throwable error) {
        if (!sink.isCancelled()) {
            sink.error(error);
        }
    }

    private void settled() {
        if (pages.ended()) {
            sink.complete();
            return;
        }
        busy.set(false);
        request();
    }
}
