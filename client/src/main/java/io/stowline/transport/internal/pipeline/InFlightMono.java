package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.concurrent.BlockingAwait.CancelledCalls;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.pipeline.StoragePipeline.PipelineSettings.RequestCompletionListener;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A request that counts as in flight until its subscriber has been told of its end; refused once this client is closed, unless it is a
 * part of an operation that is in flight; ended with an error by {@link InFlightRegistry#abandon}. One operator instead of several, since every request goes through it.
 */
final class InFlightMono extends MonoOperator<HttpResponse, HttpResponse> {

    private final InFlightRegistry inFlight;
    private final Exchange<?> call;
    private final RequestCompletionListener ends;

    InFlightMono(
            Mono<HttpResponse> source, InFlightRegistry inFlight, Exchange<?> call, RequestCompletionListener ends) {
        super(source);
        this.inFlight = inFlight;
        this.call = call;
        this.ends = ends;
    }

    @Override
    public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
        try {
            inFlight.enter(actual.currentContext());
        } catch (IllegalStateException closed) {
            call.releaseUnused();
            Operators.error(actual, closed);
            return;
        }
        source.subscribe(new Run(this, actual));
    }

    /** One subscriber's request; its answer, its abandonment and its cancellation race for the step to {@code OVER}. */
    private static final class Run implements CoreSubscriber<HttpResponse>, Subscription, Runnable {

        private static final AtomicIntegerFieldUpdater<Run> OVER =
                AtomicIntegerFieldUpdater.newUpdater(Run.class, "over");

        private final InFlightMono whole;
        private final CoreSubscriber<? super HttpResponse> actual;
        private volatile int over;
        private @Nullable Subscription upstream;

        Run(InFlightMono whole, CoreSubscriber<? super HttpResponse> actual) {
            this.whole = whole;
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            whole.inFlight.add(this);
            actual.onSubscribe(this);
            // Whoever came in after the loop of abandon() ends itself.
            if (whole.inFlight.abandoned()) {
                run();
            }
        }

        @Override
        public void request(long n) {
            upstream().request(n);
        }

        @Override
        public void cancel() {
            if (ends()) {
                upstream().cancel();
                CancelledCalls.note(actual.currentContext(), () -> ErrorMapper.interrupted(whole.call));
                whole.ends.ended(whole.call);
                leave();
            }
        }

        /** The client gives up what is still under way. */
        @Override
        public void run() {
            if (ends()) {
                upstream().cancel();
                tell(() -> actual.onError(ErrorMapper.closed(whole.call)));
            }
        }

        @Override
        public void onNext(HttpResponse answer) {
            if (ends()) {
                tell(() -> {
                    actual.onNext(answer);
                    actual.onComplete();
                });
            } else {
                answer.close();
            }
        }

        @Override
        public void onError(Throwable error) {
            // After the end nobody listens any more.
            if (ends()) {
                if (whole.call.unanswered() > 0) {
                    CancelledCalls.note(actual.currentContext(), () -> ErrorMapper.interrupted(whole.call));
                }
                tell(() -> actual.onError(error));
            }
        }

        @Override
        public void onComplete() {
            if (ends()) {
                tell(actual::onComplete);
            }
        }

        private Subscription upstream() {
            return Objects.requireNonNull(upstream, "subscribed to");
        }

        private boolean ends() {
            if (over != 0 || !OVER.compareAndSet(this, 0, 1)) {
                return false;
            }
            whole.inFlight.remove(this);
            return true;
        }

        private void tell(Runnable end) {
            whole.ends.ended(whole.call);
            try {
                end.run();
            } finally {
                leave();
            }
        }

        private void leave() {
            whole.call.releaseUnused();
            whole.inFlight.leave();
        }
    }
}
