package io.stowline.transport.internal.concurrent;

import io.stowline.transport.internal.concurrent.Callbacks.CallbackRun;
import io.stowline.transport.internal.http.RelaySubscriber;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A source whose end arrives as a callback. One operator in place of Reactor's for the context, the other thread and the call that can be
 * broken, since every call of a reactive face goes through it.
 */
final class DeliveredMono<T> extends MonoOperator<T, T> {

    private final Callbacks callbacks;

    DeliveredMono(Mono<T> source, Callbacks callbacks) {
        super(source);
        this.callbacks = callbacks;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Context seen = actual.currentContext();
        CallbackRun requester = Callbacks.requester(seen);
        source.subscribe(new Delivery<>(callbacks, requester, seen, before(actual, seen)));
    }

    /** Returns the delivery, which the call may break off; outside such a call it is unchanged. */
    static <T> Mono<T> breakable(ContextView seen, Mono<T> delivery) {
        Callbacks.Breakable breakable = seen.getOrDefault(Callbacks.Breakable.class, null);
        return breakable == null
                ? delivery
                : delivery.transform(
                        Operators.<T, T>lift((source, actual) -> new BreakableDelivery<>(actual, breakable)));
    }

    /** Returns the subscriber of a delivery in this context, behind which the call may break off; outside such a call it is unchanged. */
    private static <T> CoreSubscriber<? super T> before(CoreSubscriber<? super T> actual, ContextView seen) {
        Callbacks.Breakable breakable = seen.getOrDefault(Callbacks.Breakable.class, null);
        return breakable == null ? actual : new BreakableDelivery<>(actual, breakable);
    }

    /** Returns the delivery, which the call may break off; outside such a call it is unchanged. */
    static <T> Flux<T> breakable(ContextView seen, Flux<T> delivery) {
        Callbacks.Breakable breakable = seen.getOrDefault(Callbacks.Breakable.class, null);
        return breakable == null
                ? delivery
                : delivery.transform(
                        Operators.<T, T>lift((source, actual) -> new BreakableDelivery<>(actual, breakable)));
    }

    /** One subscriber's end, as the callback that delivers it. */
    private static final class Delivery<T> extends RelaySubscriber<T, T> implements Runnable {

        @SuppressWarnings("rawtypes")
        private static final AtomicReferenceFieldUpdater<Delivery, Object> VALUE =
                AtomicReferenceFieldUpdater.newUpdater(Delivery.class, Object.class, "value");

        private final Callbacks callbacks;
        private final @Nullable CallbackRun requester;
        private final Context context;

        @SuppressWarnings("unused") // by its updater
        private volatile @Nullable Object value;

        private volatile boolean cancelled;
        private @Nullable Throwable error;
        private boolean ended;

        Delivery(Callbacks callbacks, @Nullable CallbackRun requester, Context seen, CoreSubscriber<? super T> actual) {
            super(actual);
            this.callbacks = callbacks;
            this.requester = requester;
            this.context = Callbacks.noting(seen, requester);
        }

        @Override
        public Context currentContext() {
            return context;
        }

        @Override
        public void onNext(T result) {
            if (ended) {
                Operators.onNextDropped(result, context);
                return;
            }
            value = result;
            deliver();
        }

        @Override
        public void onError(Throwable failure) {
            if (ended) {
                Operators.onErrorDropped(failure, context);
                return;
            }
            error = failure;
            deliver();
        }

        @Override
        public void onComplete() {
            if (!ended) {
                deliver();
            }
        }

        private void deliver() {
            ended = true;
            callbacks.run(Callbacks.surrounded(this, context), requester);
        }

        @Override
        public void cancel() {
            cancelled = true;
            super.cancel();
            discard(VALUE.getAndSet(this, null));
        }

        private void discard(@Nullable Object late) {
            if (late != null) {
                Operators.onDiscard(late, context);
            }
        }

        @Override
        @SuppressWarnings("unchecked") // it is what onNext has taken
        public void run() {
            T result = (T) VALUE.getAndSet(this, null);
            if (cancelled) {
                discard(result);
            } else if (result != null) {
                actual.onNext(result);
                actual.onComplete();
            } else if (error != null) {
                actual.onError(error);
            } else {
                actual.onComplete();
            }
        }
    }

    /**
     * Subscriber behind a delivery, inside a call that can be broken. Reactor throws a fatal error of a step out of the chain, and the scheduler of
     * the delivery would only log it.
     */
    private static final class BreakableDelivery<T> implements CoreSubscriber<T> {

        private final CoreSubscriber<? super T> actual;
        private final Callbacks.Breakable breakable;

        BreakableDelivery(CoreSubscriber<? super T> actual, Callbacks.Breakable breakable) {
            this.actual = actual;
            this.breakable = breakable;
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
}
