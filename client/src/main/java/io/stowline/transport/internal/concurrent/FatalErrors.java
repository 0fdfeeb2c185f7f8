package io.stowline.transport.internal.concurrent;

import io.stowline.transport.internal.http.RelaySubscriber;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The handling of errors that Reactor throws out of a chain in place of a signal: of memory, of linkage, of a stack
 * that overflows. They arrive at the I/O thread that has delivered a value, and the subscriber of the chain would wait
 * without an end. Each thread of the library that delivers a value hands such an error to the call of the value, by its Reactor context.
 */
public final class FatalErrors {

    private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
    private static final Object KEY = "stowline-call-end";

    private FatalErrors() {}

    /** The end of a call or an operation, beside its chain. */
    @FunctionalInterface
    public interface CallEnd {

        /**
         * Ends it.
         *
         * @return false if it had ended before
         */
        boolean fail(RuntimeException error);
    }

    /** Ends the innermost operation or call of this context that has not ended. */
    public static void thrown(Throwable thrown, ContextView context) {
        try {
            RuntimeException error = carrier(thrown);
            if (!ended(error, context)) {
                LOG.error("an error came after the end of the call that it belongs to", UserCode.printable(thrown));
            }
        } catch (Throwable again) {
            // A heap that has no room even for this; the thread serves other calls.
            LOG.error("the end of a call failed", UserCode.printable(again));
        }
    }

    /**
     * Returns the context with this end, which receives such an error from its operations if they have ended
     * themselves.
     */
    public static Context endingWith(CallEnd end, Context context) {
        CallEnd outer = context.getOrDefault(KEY, null);
        CallEnd innermost = outer == null ? end : error -> end.fail(error) || outer.fail(error);
        return context.put(KEY, innermost);
    }

    /** Returns the exception that carries an error to a caller. */
    public static RuntimeException carrier(Throwable thrown) {
        return UserCode.carrier(thrown, "a thread of the library threw ");
    }

    private static boolean ended(RuntimeException error, ContextView context) {
        ContextView at = context;
        for (OperationScope operationScope = OperationScope.in(at);
                operationScope != null;
                operationScope = OperationScope.in(at)) {
            if (operationScope.fail(error)) {
                return true;
            }
            at = operationScope.caller();
        }
        CallEnd reactive = context.getOrDefault(KEY, null);
        return (reactive != null && reactive.fail(error)) || CancelledCalls.fail(context, error);
    }

    /** Returns the source, whose thread hands such an error to the call of its value. */
    public static <T> Mono<T> handingOver(Mono<T> source) {
        return new MonoOperator<>(source) {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                source.subscribe(new Source<>(actual));
            }
        };
    }

    /** The subscriber behind a source. */
    private static final class Source<T> extends RelaySubscriber<T, T> {

        Source(CoreSubscriber<? super T> actual) {
            super(actual);
        }

        @Override
        public void onNext(T value) {
            try {
                actual.onNext(value);
            } catch (Throwable thrown) {
                thrown(thrown, currentContext());
            }
        }
    }

    /** Returns the call, which such an error ends. */
    public static <T> Mono<T> ending(Mono<T> call) {
        return new MonoOperator<>(call) {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                source.subscribe(new Guard<>(actual));
            }
        };
    }

    /** The subscriber of a call. Its chain, its cancellation and a fatal error race for its end. */
    private static final class Guard<T> extends AtomicBoolean implements CoreSubscriber<T>, Subscription, CallEnd {

        private static final long serialVersionUID = 1L;

        private final transient CoreSubscriber<? super T> actual;
        private final transient Context context;
        private transient @Nullable Subscription upstream;

        Guard(CoreSubscriber<? super T> actual) {
            this.actual = actual;
            this.context = endingWith(this, actual.currentContext());
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
            if (compareAndSet(false, true)) {
                upstream().cancel();
            }
        }

        @Override
        public void onNext(T value) {
            if (compareAndSet(false, true)) {
                actual.onNext(value);
                actual.onComplete();
            } else {
                Operators.onDiscard(value, context);
            }
        }

        @Override
        public void onError(Throwable error) {
            if (compareAndSet(false, true)) {
                actual.onError(error);
            }
        }

        @Override
        public void onComplete() {
            if (compareAndSet(false, true)) {
                actual.onComplete();
            }
        }

        @Override
        public boolean fail(RuntimeException error) {
            if (!compareAndSet(false, true)) {
                return false;
            }
            try {
                upstream().cancel();
            } finally {
                actual.onError(error);
            }
            return true;
        }

        private Subscription upstream() {
            return Objects.requireNonNull(upstream, "subscribed to");
        }
    }
}
