package io.stowline.transport.internal.concurrent;

import io.stowline.error.FailureDetails;
import io.stowline.transport.internal.concurrent.FatalErrors.CallEnd;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The requests of a blocking call whose caller is interrupted: whether one of them went out. It lies in the Reactor
 * context of the call. Thread-safe.
 */
public final class CancelledCalls {

    static final Object KEY = "stowline-cancelled-calls";

    private final AtomicReference<@Nullable FailureDetails> known = new AtomicReference<>();

    private final CallEnd end;
    private volatile @Nullable FailureDetails carriedOut;

    CancelledCalls(CallEnd end) {
        this.end = end;
    }

    /** Ends the blocking call that waits in this context, if one does. */
    static boolean fail(ContextView context, RuntimeException error) {
        return context.getOrDefault(KEY, null) instanceof CancelledCalls all && all.end.fail(error);
    }

    /** Notes that the write of the call is carried out, and only later steps are missing. */
    public static void carriedOut(ContextView context, Supplier<FailureDetails> failure) {
        if (context.getOrDefault(KEY, null) instanceof CancelledCalls all) {
            all.carriedOut = failure.get();
        }
    }

    @Nullable
    FailureDetails carriedOut() {
        return carriedOut;
    }

    /** Notes a request that was given up, or ended without a response. */
    public static void note(ContextView context, Supplier<FailureDetails> failure) {
        if (context.getOrDefault(KEY, null) instanceof CancelledCalls all) {
            all.add(failure.get());
        }
    }

    /** Returns a context for requests that its blocking call does not wait for. */
    public static ContextView without(ContextView context) {
        return context.hasKey(KEY) ? Context.of(context).delete(KEY) : context;
    }

    /** A later read-back of a request shows less than the request. */
    private void add(FailureDetails next) {
        known.updateAndGet(
                before -> before != null && before.unansweredAttempts() > next.unansweredAttempts() ? before : next);
    }

    @Nullable
    FailureDetails failure() {
        return known.get();
    }
}
