package io.stowline.transport.internal.concurrent;

import io.stowline.error.FailureDetails;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * What is known of the requests of a blocking call whose caller is interrupted: whether one of them went out. It lies in the Reactor
 * context of the call. Thread-safe.
 */
public final class CancelledCalls {

    static final Object KEY = "stowline-cancelled-calls";

    private final AtomicReference<@Nullable FailureDetails> known = new AtomicReference<>();

    /** A request was given up, or ended without an answer. */
    public static void note(ContextView context, Supplier<FailureDetails> facts) {
        if (context.getOrDefault(KEY, null) instanceof CancelledCalls all) {
            all.add(facts.get());
        }
    }

    /** A later look at what became of a request tells less than the request. */
    private void add(FailureDetails next) {
        known.updateAndGet(
                before -> before != null && before.unansweredAttempts() > next.unansweredAttempts() ? before : next);
    }

    @Nullable
    FailureDetails failure() {
        return known.get();
    }
}
