package io.stowline.transport.internal.observe;

import io.stowline.error.ClosedException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.CancelledCalls;
import io.stowline.transport.internal.concurrent.InFlightEntry;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.ListenerCalls;
import io.stowline.transport.internal.concurrent.OperationScope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The listener's side of one operation, which the failures of the listener do not reach. Thread-safe. */
final class ObservedOperation {

    private static final Logger LOG = LoggerFactory.getLogger(OperationObserver.class);

    private static final AtomicIntegerFieldUpdater<ObservedOperation> OVER =
            AtomicIntegerFieldUpdater.newUpdater(ObservedOperation.class, "over");

    private final String name;
    private final OperationListener one;
    private final Scheduler clock;
    private final long began;

    @SuppressWarnings("unused") // by its updater
    private volatile int over;

    ObservedOperation(String name, OperationListener one, Scheduler clock) {
        this.name = name;
        this.one = one;
        this.clock = clock;
        this.began = clock.now(TimeUnit.NANOSECONDS);
    }

    String name() {
        return name;
    }

    /** Returns whether the listener follows the operation. */
    boolean hasListener() {
        return one != OperationListener.NONE;
    }

    /** Returns the context that the listener gives the operation. */
    Context context(Context known) {
        try {
            return Objects.requireNonNull(ListenerCalls.call(() -> one.context(known)), "the result of context");
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
            return known;
        }
    }

    /** Returns the trace context that the listener gives a message of the operation. */
    Map<String, String> headers() {
        try {
            return Objects.requireNonNull(ListenerCalls.call(one::headers), "the result of headers");
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
            return Map.of();
        }
    }

    /** Runs code of the application, which throws nothing, once, whatever the listener does. */
    void run(Runnable code) {
        once(one::run, code);
    }

    /** Runs code that throws nothing within a call of the listener, once, whatever the listener does. */
    static void once(Consumer<Runnable> listener, Runnable code) {
        AtomicBoolean ran = new AtomicBoolean();
        Runnable once = () -> {
            if (ran.compareAndSet(false, true)) {
                code.run();
            }
        };
        try {
            listener.accept(once);
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
        }
        once.run();
    }

    /** The requests of a transaction whose caller has gone end after it. */
    void attempted(RequestEnd request) {
        if (over == 0) {
            quietly(() -> one.onRequestEnd(request));
        }
    }

    void succeeded(@Nullable Object result) {
        end(OperationEnd.Kind.SUCCEEDED, written(result), null);
    }

    /** The operations of a transaction share their end, so that the first result stands for all. */
    private static @Nullable WriteResult written(@Nullable Object result) {
        Object one = result instanceof List<?> all && !all.isEmpty() ? all.get(0) : result;
        return one instanceof WriteResult written ? written : null;
    }

    void failed(Throwable error) {
        boolean unknown = error instanceof OutcomeUnknownException;
        end(unknown ? OperationEnd.Kind.UNKNOWN : OperationEnd.Kind.FAILED, null, error);
    }

    void cancelled() {
        end(OperationEnd.Kind.CANCELLED, null, null);
    }

    private void end(OperationEnd.Kind kind, @Nullable WriteResult written, @Nullable Throwable error) {
        if (OVER.compareAndSet(this, 0, 1)) {
            Duration elapsed = Duration.ofNanos(clock.now(TimeUnit.NANOSECONDS) - began);
            quietly(() -> one.onOperationEnd(new OperationEnd(kind, elapsed, written, error)));
        }
    }

    private static void quietly(Runnable call) {
        try {
            ListenerCalls.run(call);
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
        }
    }

    /** The scope of an operation that may have a listener. */
    static final class ObservedScope extends OperationScope {

        private final @Nullable ObservedOperation observed;

        private void endsWith(ObservedMono.Run<?> operation) {
            endsWith(operation::broken);
        }

        private ObservedScope(
                @Nullable InFlightRegistry inFlight, Context caller, @Nullable ObservedOperation observed) {
            super(inFlight, caller);
            this.observed = observed;
        }

        /** Returns the observed operation in this context, or {@code null}. */
        static @Nullable ObservedOperation observed(ContextView context) {
            return in(context) instanceof ObservedScope observedScope ? observedScope.observed : null;
        }

        /**
         * Returns the context of a part of the operation in this one, which counts as in flight by itself and ends by itself; empty outside of
         * observed operations.
         */
        static Context part(ContextView seen) {
            ObservedOperation operation = observed(seen);
            return operation == null
                    ? Context.empty()
                    : new ObservedScope(null, operation.context(Context.empty()), operation).context();
        }

        /**
         * Returns the context of an operation that begins in this one.
         *
         * @param operation its listener
         */
        static Context begin(Context seen, @Nullable InFlightRegistry counted, @Nullable ObservedOperation operation) {
            InFlightRegistry inFlight = counted == null ? inFlight(seen) : counted;
            Context caller = operation == null ? seen : operation.context(seen);
            return new ObservedScope(inFlight, caller, operation == null ? observed(seen) : operation).context();
        }
    }

    /**
     * An operation from its first request to its last wait. It counts as in flight and reports its end to its listener; its requests find
     * both in their context. A part of another operation does neither. Made for each subscriber.
     */
    static final class ObservedMono<A> extends MonoOperator<A, A> {

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
            ObservedOperation operation = observer.begin(name, queryClass, resource, seen);
            try {
                inFlight.enter();
            } catch (IllegalStateException refused) {
                if (operation != null) {
                    operation.failed(refused);
                }
                Operators.error(actual, refused);
                return;
            }
            Run<A> run = new Run<>(this, actual, operation, ObservedScope.begin(seen, inFlight, operation));
            AwaitedCode.run(inFlight, () -> run.begin(source));
        }

        /** One subscriber's observed operation. */
        private static final class Run<A> extends InFlightEntry<A> {

            private final ObservedMono<A> parent;
            private final @Nullable ObservedOperation operation;
            private final Context context;

            Run(
                    ObservedMono<A> parent,
                    CoreSubscriber<? super A> actual,
                    @Nullable ObservedOperation operation,
                    Context context) {
                super(parent.inFlight, true, actual);
                this.parent = parent;
                this.operation = operation;
                this.context = context;
                if (operationScope() instanceof ObservedScope observedScope) {
                    observedScope.endsWith(this);
                }
            }

            @Override
            public Context currentContext() {
                return context;
            }

            @Override
            protected void succeeded(@Nullable A result) {
                if (operation != null) {
                    operation.succeeded(result);
                }
            }

            @Override
            protected void failed(Throwable error) {
                if (operation != null) {
                    operation.failed(error);
                }
            }

            @Override
            protected void cancelled() {
                if (operation != null) {
                    operation.cancelled();
                }
                stop();
                noteInterrupted();
            }

            /** The caller may be interrupted between two requests, of which the first has written. */
            private void noteInterrupted() {
                OperationScope operationScope = operationScope();
                FailureDetails known =
                        operationScope == null ? null : operationScope.perhapsCarriedOut(OperationScope.INTERRUPTED);
                if (known != null) {
                    CancelledCalls.note(context, () -> known);
                }
            }

            @Override
            protected Throwable abandoned() {
                StorageException closed =
                        OperationObserver.closed(parent.name, parent.resource.get(), operationScope());
                failed(closed);
                return closed;
            }

            @Override
            protected boolean broken(RuntimeException error) {
                OperationScope operationScope = operationScope();
                FailureDetails details =
                        operationScope == null ? null : operationScope.perhapsCarriedOut(OperationScope.BROKEN);
                String write = details == null
                        ? ""
                        : "; a write of it was, or may have been, carried out: " + details.describe();
                return fail(new IllegalStateException(
                        parent.name + " " + parent.resource.get() + ": " + error.getMessage() + write,
                        error.getCause()));
            }

            /**
             * Closing has cut one of its requests short, or refused one: a write before it was or may have been carried
             * out all the same.
             */
            @Override
            protected Throwable meaning(Throwable error) {
                OperationScope operationScope = operationScope();
                boolean cut = parent.inFlight.abandoned()
                        && (error instanceof UnreachableException || error instanceof ClosedException);
                return cut && operationScope != null && operationScope.perhapsCarriedOut(OperationScope.CLOSED) != null
                        ? OperationObserver.closed(parent.name, parent.resource.get(), operationScope)
                        : error;
            }

            private @Nullable OperationScope operationScope() {
                return OperationScope.in(context);
            }

            @Override
            protected void discard(A late) {
                Operators.onDiscard(late, context);
            }
        }
    }
}
