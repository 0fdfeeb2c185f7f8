package io.stowline.transport.internal.observe;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.OperationScope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** One operation whose listener is told, and shielded from. */
final class ObservedOperation {

    private static final Logger LOG = LoggerFactory.getLogger(OperationObserver.class);

    private static final AtomicIntegerFieldUpdater<ObservedOperation> OVER =
            AtomicIntegerFieldUpdater.newUpdater(ObservedOperation.class, "over");

    private final OperationListener one;
    private final Scheduler clock;
    private final long began;

    @SuppressWarnings("unused") // by its updater
    private volatile int over;

    ObservedOperation(OperationListener one, Scheduler clock) {
        this.one = one;
        this.clock = clock;
        this.began = clock.now(TimeUnit.NANOSECONDS);
    }

    /** The context that the listener gives the operation. */
    Context context(Context known) {
        try {
            return one.context(known);
        } catch (RuntimeException e) {
            LOG.warn("a listener has failed", e);
            return known;
        }
    }

    void attempted(RequestEnd request) {
        quietly(() -> one.onRequestEnd(request));
    }

    void succeeded(@Nullable Object result) {
        end(OperationEnd.Kind.SUCCEEDED, written(result), null);
    }

    /** The operations of a transaction share their fate, so that its first one speaks for all. */
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
            call.run();
        } catch (RuntimeException e) {
            LOG.warn("a listener has failed", e);
        }
    }

    /** The scope of an operation that may have a listener. */
    static final class ObservedScope extends OperationScope {

        private final @Nullable ObservedOperation observed;

        private ObservedScope(
                @Nullable InFlightRegistry inFlight, Context caller, @Nullable ObservedOperation observed) {
            super(inFlight, caller);
            this.observed = observed;
        }

        /** The observed operation in this context, or {@code null}. */
        static @Nullable ObservedOperation observed(ContextView context) {
            return in(context) instanceof ObservedScope scope ? scope.observed : null;
        }

        /**
         * The context of an operation that begins in this one. What is {@code null} stays as it is for the operation around it.
         *
         * @param seen the context that it begins in
         * @param counted counts the operation
         * @param one its listener
         */
        static Context begin(Context seen, @Nullable InFlightRegistry counted, @Nullable ObservedOperation one) {
            InFlightRegistry inFlight = counted == null ? inFlight(seen) : counted;
            Context caller = one == null ? seen : one.context(seen);
            return new ObservedScope(inFlight, caller, one == null ? observed(seen) : one).context();
        }
    }
}
