package io.stowline.transport.internal.concurrent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one operation that the service has or may have executed. It outlives each of its requests, so that an end between two
 * requests, before a read-back for example, knows of both (OUTCOME-0). Thread-safe.
 */
final class OperationWrites {

    /** A directory in an outage has a doubt for each of its blobs. */
    private static final int MAX_UNRESOLVED = 16;

    private final List<SentWrite> running = new ArrayList<>(1);
    private final List<SentWrite> unresolved = new ArrayList<>(0);
    private @Nullable SentWrite confirmed;

    /** A write begins. */
    synchronized void begin(SentWrite write) {
        running.add(write);
    }

    /** A write has ended, in whatever way. Its last figures are those of the service until a read-back disproves them. */
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

    /** It is proved that the service has not executed the write with this id and never will. */
    synchronized void disproved(String clientRequestId) {
        unresolved.removeIf(write -> write.clientRequestId().equals(clientRequestId));
    }

    /** A write that the service has or may have executed, one in doubt before one that is confirmed; {@code null} if there is none. */
    synchronized @Nullable SentWrite applied() {
        for (int i = running.size() - 1; i >= 0; i--) {
            if (running.get(i).applied() > 0) {
                return running.get(i);
            }
        }
        return unresolved.isEmpty() ? confirmed : unresolved.get(unresolved.size() - 1);
    }
}
