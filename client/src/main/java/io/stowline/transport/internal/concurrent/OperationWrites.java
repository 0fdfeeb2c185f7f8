package io.stowline.transport.internal.concurrent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one operation that the service has or may have executed. It outlives each of its requests, so that an end between two
 * requests, before a read-back for example, knows of both (OUTCOME-0). Thread-safe.
 */
final class OperationWrites {

    /** A directory in an outage has an unresolved write for each of its blobs. */
    private static final int MAX_UNRESOLVED = 16;

    private final List<SentWrite> running = new ArrayList<>(1);
    private final List<SentWrite> unresolved = new ArrayList<>(0);
    private @Nullable SentWrite confirmed;

    /** Records the beginning of a write. */
    synchronized void begin(SentWrite write) {
        running.add(write);
    }

    /**
     * Records the end of a write, in whatever way. Its last figures are those of the service until a read-back
     * disproves them.
     */
    synchronized void end(SentWrite write) {
        for (int i = running.size() - 1; i >= 0; i--) {
            if (running.get(i) == write) {
                running.remove(i);
                break;
            }
        }
        if (write.isCarriedOut()) {
            confirmed = write.ended();
        } else if (write.applied() > 0 && unresolved.size() < MAX_UNRESOLVED) {
            unresolved.add(write.ended());
        }
    }

    /** Removes a write with the proof that the service has not executed it and never will. */
    synchronized void disproved(String clientRequestId) {
        unresolved.removeIf(write -> write.clientRequestId().equals(clientRequestId));
    }

    /**
     * Returns a write that the service has or may have executed, an unresolved one before a confirmed one; {@code null}
     * if there is none.
     */
    synchronized @Nullable SentWrite applied() {
        for (int i = running.size() - 1; i >= 0; i--) {
            if (running.get(i).applied() > 0) {
                return running.get(i);
            }
        }
        return unresolved.isEmpty() ? confirmed : unresolved.get(unresolved.size() - 1);
    }
}
