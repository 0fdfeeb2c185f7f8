package io.stowline.transport.internal.concurrent;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Subscriber behind a delivery, inside a call that can be broken. Reactor throws a fatal error of a step out of the chain, and the scheduler of
 * the delivery would only log it.
 */
final class BreakableDelivery<T> implements CoreSubscriber<T> {

    private final CoreSubscriber<? super T> actual;
    private final Callbacks.Breakable breakable;

    private BreakableDelivery(CoreSubscriber<? super T> actual, Callbacks.Breakable breakable) {
        this.actual = actual;
        this.breakable = breakable;
    }

    /** Returns the delivery, which the call may break off; outside such a call it is unchanged. */
    static <T> Mono<T> in(ContextView seen, Mono<T> delivery) {
        Callbacks.Breakable breakable = seen.getOrDefault(Callbacks.Breakable.class, null);
        return breakable == null
                ? delivery
                : delivery.transform(
                        Operators.<T, T>lift((source, actual) -> new BreakableDelivery<>(actual, breakable)));
    }

    /** Returns the subscriber of a delivery in this context, behind which the call may break off; outside such a call it is unchanged. */
    static <T> CoreSubscriber<? super T> before(CoreSubscriber<? super T> actual, ContextView seen) {
        Callbacks.Breakable breakable = seen.getOrDefault(Callbacks.Breakable.class, null);
        return breakable == null ? actual : new BreakableDelivery<>(actual, breakable);
    }

    /** Returns the delivery, which the call may break off; outside such a call it is unchanged. */
    static <T> Flux<T> in(ContextView seen, Flux<T> delivery) {
        Callbacks.Breakable breakable = seen.getOrDefault(Callbacks.Breakable.class, null);
        return breakable == null
                ? delivery
                : delivery.transform(
                        Operators.<T, T>lift((source, actual) -> new BreakableDelivery<>(actual, breakable)));
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        actual.onSubscribe(subscription);
    }

    @Override
    public void onNext(T value) {
        signal(() -> actual.onNext(value));
    }

    @Override
    public void onError(Throwable error) {
        signal(() -> actual.onError(error));
    }

    @Override
    public void onComplete() {
        signal(actual::onComplete);
    }

    private void signal(Runnable signal) {
        try {
            signal.run();
        } catch (Throwable thrown) {
            if (!breakable.broken(thrown)) {
                throw thrown;
            }
        }
    }
}
