package io.stowline.transport.internal.observe;

import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.observe.ObservedOperation.ObservedScope;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * An operation from its first request to its last wait: it counts as in flight, and its listener is told of its end. Its requests find
 * both in their context. A part of an operation is no operation; made for each subscriber anew.
 */
final class ObservedMono<A> extends MonoOperator<A, A> {

    private final OperationObserver observer;
    private final InFlightRegistry inFlight;
    private final String name;
    private final @Nullable String queryClass;
    private final Supplier<String> resource;

    ObservedMono(
            Mono<A> source,
            OperationObserver observer,
            String name,
            @Nullable String queryClass,
            Supplier<String> resource) {
        super(source);
        this.observer = observer;
        this.inFlight = observer.inFlight();
        this.name = name;
        this.queryClass = queryClass;
        this.resource = resource;
    }

    @Override
    public void subscribe(CoreSubscriber<? super A> actual) {
        Context seen = actual.currentContext();
        if (inFlight.holds(seen)) {
            source.subscribe(actual);
            return;
        }
        ObservedOperation one = observer.begin(name, queryClass, resource, seen);
        try {
            inFlight.enter();
        } catch (IllegalStateException refused) {
            if (one != null) {
                one.failed(refused);
            }
            Operators.error(actual, refused);
            return;
        }
        source.subscribe(new Run<>(this, actual, one, ObservedScope.begin(seen, inFlight, one)));
    }

    /** One subscriber's operation; its result, its abandonment and its cancellation race for the step to {@code OVER}. */
    private static final class Run<A> implements CoreSubscriber<A>, Subscription, Runnable {

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<Run> OVER =
                AtomicIntegerFieldUpdater.newUpdater(Run.class, "over");

        private final ObservedMono<A> whole;
        private final CoreSubscriber<? super A> actual;
        private final @Nullable ObservedOperation one;
        private final Context context;
        private volatile int over;
        private @Nullable Subscription upstream;

        Run(ObservedMono<A> whole, CoreSubscriber<? super A> actual, @Nullable ObservedOperation one, Context context) {
            this.whole = whole;
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
            whole.inFlight.addOperation(this);
            actual.onSubscribe(this);
            // An operation that came in after the loop of abandon() ends itself.
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
                try {
                    if (one != null) {
                        one.cancelled();
                    }
                    upstream().cancel();
                } finally {
                    whole.inFlight.leave();
                }
            }
        }

        /** The client gives up what is still in flight. */
        @Override
        public void run() {
            if (ends()) {
                upstream().cancel();
                fail(OperationObserver.closed(whole.name, whole.resource.get()));
            }
        }

        @Override
        public void onNext(A result) {
            if (ends()) {
                try {
                    if (one != null) {
                        one.succeeded(result);
                    }
                    actual.onNext(result);
                    actual.onComplete();
                } finally {
                    whole.inFlight.leave();
                }
            } else {
                Operators.onDiscard(result, context);
            }
        }

        @Override
        public void onError(Throwable error) {
            if (ends()) {
                fail(error);
            }
        }

        private void fail(Throwable error) {
            try {
                if (one != null) {
                    one.failed(error);
                }
                actual.onError(error);
            } finally {
                whole.inFlight.leave();
            }
        }

        @Override
        public void onComplete() {
            if (ends()) {
                try {
                    if (one != null) {
                        one.succeeded(null);
                    }
                    actual.onComplete();
                } finally {
                    whole.inFlight.leave();
                }
            }
        }

        private boolean ends() {
            if (over != 0 || !OVER.compareAndSet(this, 0, 1)) {
                return false;
            }
            whole.inFlight.removeOperation(this);
            return true;
        }

        private Subscription upstream() {
            return Objects.requireNonNull(upstream, "subscribed to");
        }
    }
}
