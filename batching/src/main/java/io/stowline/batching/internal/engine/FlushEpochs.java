package io.stowline.batching.internal.engine;

import io.stowline.batching.FlushReport;
import io.stowline.batching.internal.callback.FailedOutcome;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Tells when all that was accepted before a flush is terminal; guarded by the engine's lock. */
final class FlushEpochs {

    private final ArrayDeque<FlushEpoch> sealed = new ArrayDeque<>();
    private FlushEpoch current = new FlushEpoch();

    FlushEpoch enter() {
        current.accepted++;
        current.pending++;
        return current;
    }

    /** Ends the current epoch; flushes with nothing accepted between them share one. */
    CompletableFuture<FlushReport> flush() {
        if (current.accepted == 0 && !sealed.isEmpty()) {
            return sealed.getLast().report;
        }
        sealed.add(current);
        current = new FlushEpoch();
        return sealed.getLast().report;
    }

    /** Takes the oldest sealed epoch when all its items are terminal; what it reports, the next one repeats. */
    @Nullable
    FlushEpoch pollDone() {
        FlushEpoch first = sealed.peek();
        if (first == null || first.pending > 0) {
            return null;
        }
        sealed.remove();
        FlushEpoch next = sealed.peek();
        if (next != null) {
            next.completed += first.completed;
            next.failed += first.failed;
        }
        return first;
    }

    /** The items accepted between two flushes; guarded by the engine's lock. */
    static final class FlushEpoch {

        final CompletableFuture<FlushReport> report = new CompletableFuture<>();
        long accepted;
        long pending;
        long completed;
        long failed;

        void count(Object outcome) {
            pending--;
            if (outcome instanceof FailedOutcome) {
                failed++;
            } else {
                completed++;
            }
        }
    }
}
