package io.stowline.transport.internal.concurrent;

import io.stowline.transport.internal.concurrent.Callbacks.CallbackRun;
import io.stowline.transport.internal.http.RelaySubscriber;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

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
        source.subscribe(new Delivery<>(callbacks, requester, seen, BreakableDelivery.before(actual, seen)));
    }

    /** One subscriber's end, as the callback that delivers it. */
    private static final class Delivery<T> extends RelaySubscriber<T, T> implements Runnable {

        @SuppressWarnings("rawtypes")
        private static final AtomicReferenceFieldUpdater<Delivery, Object> VALUE =
                AtomicReferenceFieldUpdater.newUpdater(Delivery.class, Object.class, "value");

        private final Callbacks callbacks;
        private final @Nullable CallbackRun requester;
        private final Context context;
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
}
