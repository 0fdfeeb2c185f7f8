package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.WriteTracker;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * An attempt on the wire. A cancel reaches the write tracker before the HTTP client, which would close the connection in an orderly way.
 * One operator instead of two, since every attempt goes through it.
 */
final class AttemptMono extends Mono<HttpResponse> {

    private final WriteTracker tracker;
    private final Supplier<Mono<HttpResponse>> send;

    /** With what sends the request, called at the subscription. */
    AttemptMono(WriteTracker tracker, Supplier<Mono<HttpResponse>> send) {
        this.tracker = tracker;
        this.send = send;
    }

    @Override
    public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
        Mono<HttpResponse> sent;
        try {
            sent = send.get();
        } catch (Throwable thrown) {
            Operators.error(actual, Operators.onOperatorError(thrown, actual.currentContext()));
            return;
        }
        sent.subscribe(new Run(tracker, actual));
    }

    /** One subscriber's attempt. */
    private static final class Run implements CoreSubscriber<HttpResponse>, Subscription {

        private final WriteTracker tracker;
        private final CoreSubscriber<? super HttpResponse> actual;
        private @Nullable Subscription upstream;

        Run(WriteTracker tracker, CoreSubscriber<? super HttpResponse> actual) {
            this.tracker = tracker;
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            upstream().request(n);
        }

        @Override
        public void cancel() {
            try {
                tracker.abandon();
            } finally {
                upstream().cancel();
            }
        }

        private Subscription upstream() {
            return Objects.requireNonNull(upstream, "subscribed to");
        }

        @Override
        public void onNext(HttpResponse response) {
            actual.onNext(response);
        }

        @Override
        public void onError(Throwable error) {
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
        }
    }
}
