package io.stowline.table.internal.query;

import io.stowline.error.FailureDetails;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.PageSource;
import io.stowline.transport.internal.concurrent.CancelledCalls;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.ContextView;

/**
 * The pages of a Flux for a taker who waits for each. The first request subscribes; a taker who gives up waiting ends it, since the page that it missed is unknown.
 */
final class BlockingPageSource implements PageSource {

    /** The end of the pages; an error where the taker must not take it for the last page. */
    private record End(@Nullable Throwable error) {}

    private final Flux<QueryPage> pages;
    private final Supplier<FailureDetails> givenUp;
    private final Arrivals arrivals = new Arrivals();
    private final AtomicReference<@Nullable MonoSink<QueryPage>> waiting = new AtomicReference<>();
    private final AtomicReference<@Nullable End> end = new AtomicReference<>();
    private boolean started;

    /**
     * Prepares to take; nothing is sent yet.
     *
     * @param pages the pages, which come only as they are requested
     * @param givenUp the facts of a wait for a page that is given up
     */
    BlockingPageSource(Flux<QueryPage> pages, Supplier<FailureDetails> givenUp) {
        this.pages = pages;
        this.givenUp = givenUp;
    }

    @Override
    public Mono<QueryPage> next() {
        return Mono.create(sink -> request(sink.onCancel(() -> givenUp(sink.contextView()))));
    }

    private void request(MonoSink<QueryPage> sink) {
        waiting.set(sink);
        if (end.get() != null) {
            responseEnd();
            return;
        }
        if (!started) {
            started = true;
            pages.subscribe(arrivals);
        }
        arrivals.request(1);
    }

    /** A page on its way to a taker that has gone is lost: the reading cannot continue after it. */
    private void givenUp(ContextView caller) {
        stop(ended());
        CancelledCalls.note(caller, givenUp);
    }

    @Override
    public void cancel() {
        stop(waiting.get() == null ? null : ended());
    }

    private static Throwable ended() {
        return new CancellationException("the query was ended while a page was waited for");
    }

    /** The end comes first: a subscription that does not exist yet knows nothing of it, but the next request does. */
    private void stop(@Nullable Throwable failure) {
        end(failure);
        arrivals.cancel();
    }

    /** Keeps the first end. Of an end and a taker that race, the later one sees the other. */
    private void end(@Nullable Throwable failure) {
        end.compareAndSet(null, new End(failure));
        responseEnd();
    }

    private void responseEnd() {
        MonoSink<QueryPage> taker = waiting.getAndSet(null);
        End over = end.get();
        if (taker == null || over == null) {
            return;
        }
        if (over.error() == null) {
            taker.success();
        } else {
            taker.error(over.error());
        }
    }

    private final class Arrivals extends BaseSubscriber<QueryPage> {

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(QueryPage page) {
            MonoSink<QueryPage> taker = waiting.getAndSet(null);
            if (taker != null) {
                taker.success(page);
            }
        }

        @Override
        protected void hookOnComplete() {
            end(null);
        }

        @Override
        protected void hookOnError(Throwable failure) {
            end(failure);
        }
    }
}
