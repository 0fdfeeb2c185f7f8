package io.stowline.caching.internal.entry;

import java.util.function.Supplier;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A relay that passes on as a signal each error that a source throws while it is made or subscribed to; Reactor throws linkage errors through. What is
 * thrown behind the end of the source is thrown on.
 */
public final class SignalledErrors<T> extends Mono<T> {

    private final Supplier<Mono<T>> source;

    public SignalledErrors(Supplier<Mono<T>> source) {
        this.source = source;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Forward<T> forward = new Forward<>(actual);
        try {
            source.get().subscribe(forward);
        } catch (VirtualMachineError e) {
            forward.fail(e);
            throw e;
        } catch (Throwable e) {
            if (!forward.fail(e)) {
                throw e;
            }
        }
    }

    private static final class Forward<T> implements CoreSubscriber<T> {

        private final CoreSubscriber<? super T> actual;
        private boolean subscribed;
        private boolean over;

        Forward(CoreSubscriber<? super T> actual) {
            this.actual = actual;
        }

        boolean fail(Throwable e) {
            boolean late = over;
            if (!subscribed) {
                subscribed = true;
                actual.onSubscribe(Operators.emptySubscription());
            }
            onError(e);
            return !late;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscribed = true;
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(T value) {
            over = true;
            actual.onNext(value);
            actual.onComplete();
        }

        @Override
        public void onError(Throwable e) {
            if (!over) {
                over = true;
                actual.onError(e);
            }
        }

        @Override
        public void onComplete() {
            if (!over) {
                over = true;
                actual.onComplete();
            }
        }
    }
}
