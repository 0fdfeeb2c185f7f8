package io.stowline.transport.internal;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/** One operation whose listener is told, and shielded from. */
final class Told {

    static final Object KEY = "stowline-operation-listener";

    private static final Logger LOG = LoggerFactory.getLogger(Observing.class);

    private final OperationListener one;
    private final Scheduler clock;
    private final long began;
    private final AtomicBoolean over = new AtomicBoolean();

    Told(OperationListener one, Scheduler clock) {
        this.one = one;
        this.clock = clock;
        this.began = clock.now(TimeUnit.NANOSECONDS);
    }

    Context context(Context known) {
        Context own = known;
        try {
            own = one.context(known);
        } catch (RuntimeException e) {
            LOG.warn("a listener has failed", e);
        }
        return own.put(KEY, this);
    }

    void attempted(RequestEnd request) {
        quietly(() -> one.attempted(request));
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
        if (over.compareAndSet(false, true)) {
            Duration elapsed = Duration.ofNanos(clock.now(TimeUnit.NANOSECONDS) - began);
            quietly(() -> one.ended(new OperationEnd(kind, elapsed, written, error)));
        }
    }

    private static void quietly(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.warn("a listener has failed", e);
        }
    }
}
