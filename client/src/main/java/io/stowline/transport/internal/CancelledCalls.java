package io.stowline.transport.internal;

import io.stowline.error.Failure;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * What is known of the requests of a blocking call whose caller is interrupted: whether one of them went out. It lies in the Reactor
 * context of the call. Thread-safe.
 */
final class CancelledCalls {

    static final Object KEY = "stowline-cancelled-calls";

    private final AtomicReference<@Nullable Failure> known = new AtomicReference<>();

    /** A request was given up, or ended without an answer. */
    static void note(ContextView context, Call<?> call) {
        if (context.getOrDefault(KEY, null) instanceof CancelledCalls all) {
            all.add(Failures.interrupted(call));
        }
    }

    /** A later look at what became of a request tells less than the request. */
    private void add(Failure next) {
        known.updateAndGet(before -> before != null && before.unanswered() > next.unanswered() ? before : next);
    }

    @Nullable
    Failure failure() {
        return known.get();
    }
}
