package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.retry.RetryResult;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.http.RelaySubscriber;
import io.stowline.transport.internal.observe.OperationObserver;
import java.util.function.Function;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * The result of the attempt that settled a request, or the error of all attempts. Reactor's own operator would restore thread-locals each
 * time.
 */
final class SettledMono<A> extends Mono<A> {

    private final Exchange<?> exchange;
    private final Mono<RetryResult<HttpResponse>> ended;
    private final Function<RetryResult<HttpResponse>, A> value;
    private final OperationObserver observer;

    SettledMono(
            Exchange<?> exchange,
            Mono<RetryResult<HttpResponse>> ended,
            Function<RetryResult<HttpResponse>, A> value,
            OperationObserver observer) {
        this.exchange = exchange;
        this.ended = ended;
        this.value = value;
        this.observer = observer;
    }

    @Override
    public void subscribe(CoreSubscriber<? super A> actual) {
        ended.subscribe(new Settlement<>(this, actual));
    }

    private A result(RetryResult<HttpResponse> last) {
        exchange.end(last);
        if (!last.succeeded()) {
            throw ErrorMapper.of(exchange, last);
        }
        return value.apply(last);
    }

    /** One subscriber's request until its settlement. */
    private static final class Settlement<A> extends RelaySubscriber<RetryResult<HttpResponse>, A> {

        private final SettledMono<A> parent;
        private boolean failed;

        Settlement(SettledMono<A> parent, CoreSubscriber<? super A> actual) {
            super(actual);
            this.parent = parent;
        }

        @Override
        public void onNext(RetryResult<HttpResponse> last) {
            A result;
            try {
                parent.observer.attempted(currentContext(), parent.exchange.clientRequestId(), last);
                result = parent.result(last);
            } catch (Throwable thrown) {
                upstream().cancel();
                failed = true;
                actual.onError(Exceptions.isFatal(thrown) ? FatalErrors.carrier(thrown) : thrown);
                return;
            }
            actual.onNext(result);
        }

        @Override
        public void onComplete() {
            if (!failed) {
                actual.onComplete();
            }
        }
    }
}
