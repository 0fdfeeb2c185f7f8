package io.stowline.transport.internal.outcome;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The result of a request: the meaning of its value, or what follows its error. One operator in place of {@code map} and {@code
 * onErrorResume}, since every operation goes through it.
 *
 * @param <A> the value of the request
 * @param <R> the result
 */
public final class ResolvedMono<A, R> extends MonoOperator<A, R> {

    private final Function<? super A, ? extends R> meaning;
    private final Function<? super Throwable, ? extends Mono<? extends R>> resolution;

    /**
     * Makes the result of a request.
     *
     * @param meaning makes the result of the value; what it throws is resolved, too
     * @param resolution follows an error
     */
    public ResolvedMono(
            Mono<? extends A> request,
            Function<? super A, ? extends R> meaning,
            Function<? super Throwable, ? extends Mono<? extends R>> resolution) {
        super(request);
        this.meaning = meaning;
        this.resolution = resolution;
    }

    @Override
    public void subscribe(CoreSubscriber<? super R> actual) {
        source.subscribe(new Resolver<>(this, actual));
    }

    /** One subscriber's request, and then what follows its error. */
    private static final class Resolver<A, R> implements CoreSubscriber<A>, Subscription {

        @SuppressWarnings("rawtypes")
        private static final AtomicReferenceFieldUpdater<Resolver, Subscription> CURRENT =
                AtomicReferenceFieldUpdater.newUpdater(Resolver.class, Subscription.class, "current");

        private final ResolvedMono<A, R> parent;
        private final CoreSubscriber<? super R> actual;
        private volatile @Nullable Subscription current;
        private volatile boolean requested;
        private boolean failed;

        Resolver(ResolvedMono<A, R> parent, CoreSubscriber<? super R> actual) {
            this.parent = parent;
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription request) {
            current = request;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            requested = true;
            current().request(n);
        }

        @Override
        public void cancel() {
            CURRENT.getAndSet(this, Operators.cancelledSubscription()).cancel();
        }

        private Subscription current() {
            return Objects.requireNonNull(current, "subscribed to");
        }

        @Override
        public void onNext(A value) {
            R result;
            try {
                result = Objects.requireNonNull(parent.meaning.apply(value), "a value has no meaning");
            } catch (Throwable thrown) {
                Exceptions.throwIfFatal(thrown);
                current().cancel();
                resolve(thrown);
                return;
            }
            actual.onNext(result);
        }

        @Override
        public void onError(Throwable error) {
            resolve(error);
        }

        @Override
        public void onComplete() {
            if (!failed) {
                actual.onComplete();
            }
        }

        private void resolve(Throwable error) {
            failed = true;
            Mono<? extends R> next;
            try {
                next = parent.resolution.apply(error);
            } catch (Throwable thrown) {
                Exceptions.throwIfFatal(thrown);
                actual.onError(Exceptions.addSuppressed(thrown, error));
                return;
            }
            next.subscribe(new Resolution<>(this));
        }

        /** False if the subscriber has cancelled. */
        private boolean continuesWith(Subscription next) {
            Subscription before = current();
            while (before != Operators.cancelledSubscription()) {
                if (CURRENT.compareAndSet(this, before, next)) {
                    return true;
                }
                before = current();
            }
            return false;
        }
    }

    /** The subscriber of what follows an error. */
    private record Resolution<R>(Resolver<?, R> resolver) implements CoreSubscriber<R> {

        @Override
        public Context currentContext() {
            return resolver.currentContext();
        }

        @Override
        public void onSubscribe(Subscription next) {
            if (!resolver.continuesWith(next)) {
                next.cancel();
            } else if (resolver.requested) {
                next.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(R result) {
            resolver.actual.onNext(result);
        }

        @Override
        public void onError(Throwable error) {
            resolver.actual.onError(error);
        }

        @Override
        public void onComplete() {
            resolver.actual.onComplete();
        }
    }
}
