package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpResponse;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** The single response to a direct request, which Reactor Netty sends in the context {@link AttemptContext#ofConnection}. */
final class SingleResponseMono extends Mono<HttpResponse> {

    private final Flux<HttpResponse> responses;

    SingleResponseMono(Flux<HttpResponse> responses) {
        this.responses = responses;
    }

    @Override
    public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
        responses.subscribe(new Run(actual));
    }

    /** One subscriber's response, emitted with its end. */
    private static final class Run implements CoreSubscriber<HttpResponse>, Subscription {

        private final CoreSubscriber<? super HttpResponse> actual;
        private final Context context;
        private @Nullable Subscription upstream;
        private @Nullable HttpResponse response;

        Run(CoreSubscriber<? super HttpResponse> actual) {
            this.actual = actual;
            this.context = AttemptContext.ofConnection(actual.currentContext());
        }

        @Override
        public Context currentContext() {
            return context;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            upstream().request(Long.MAX_VALUE);
        }

        @Override
        public void cancel() {
            upstream().cancel();
        }

        private Subscription upstream() {
            return Objects.requireNonNull(upstream, "subscribed to");
        }

        @Override
        public void onNext(HttpResponse next) {
            response = next;
        }

        @Override
        public void onError(Throwable error) {
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            if (response == null) {
                actual.onError(new NoSuchElementException("the HTTP client gave no response"));
                return;
            }
            actual.onNext(response);
            actual.onComplete();
        }
    }
}
