package io.stowline.batching;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Tells when all that was accepted before a flush is terminal; guarded by the engine's lock. */
final class Epochs {

    private final ArrayDeque<Epoch> sealed = new ArrayDeque<>();
    private Epoch current = new Epoch();

    Epoch enter() {
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
        current = new Epoch();
        return sealed.getLast().report;
    }

    /** Takes the oldest sealed epoch when all its items are terminal; what it reports, the next one repeats. */
    @Nullable
    Epoch pollDone() {
        Epoch first = sealed.peek();
        if (first == null || first.pending > 0) {
            return null;
        }
        sealed.remove();
        Epoch next = sealed.peek();
        if (next != null) {
            next.completed += first.completed;
            next.failed += first.failed;
        }
        return first;
    }
}
