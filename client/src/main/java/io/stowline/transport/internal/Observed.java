package io.stowline.transport.internal;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.util.context.Context;

/** Work whose listener is told of its end, and whose requests find it in their context; made for each subscriber anew. */
final class Observed<A> extends MonoOperator<A, A> {

    private final Function<Context, @Nullable Told> begin;

    Observed(Mono<A> source, Function<Context, @Nullable Told> begin) {
        super(source);
        this.begin = begin;
    }

    @Override
    public void subscribe(CoreSubscriber<? super A> actual) {
        Context seen = actual.currentContext();
        Told one = begin.apply(seen);
        source.subscribe(one == null ? actual : new Run<>(actual, one, one.context(seen)));
    }

    private static final class Run<A> implements CoreSubscriber<A>, Subscription {

        private final CoreSubscriber<? super A> actual;
        private final Told one;
        private final Context context;
        private @Nullable Subscription upstream;

        Run(CoreSubscriber<? super A> actual, Told one, Context context) {
            this.actual = actual;
            this.one = one;
            this.context = context;
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
            upstream().request(n);
        }

        @Override
        public void cancel() {
            one.cancelled();
            upstream().cancel();
        }

        @Override
        public void onNext(A result) {
            one.succeeded(result);
            actual.onNext(result);
        }

        @Override
        public void onError(Throwable error) {
            one.failed(error);
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            one.succeeded(null);
            actual.onComplete();
        }

        private Subscription upstream() {
            return Objects.requireNonNull(upstream, "subscribed to");
        }
    }
}
