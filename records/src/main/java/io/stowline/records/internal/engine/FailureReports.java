package io.stowline.records.internal.engine;

import io.stowline.records.FailedRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The failures of a writer on their way to the application: each goes to the listener, and all are kept until they are taken, with their
 * records as far as these fit into the buffer's size. Guarded by the writer's lock.
 */
final class FailureReports {

    private static final int MAX_KEPT = 1000;
    private static final byte[] DROPPED = new byte[0];

    private final WriterLock lock;
    private final WriterTally tally;
    private final long maxBytes;
    private final @Nullable Consumer<? super FailedRecords> listener;
    private final SerialTasks callbacks;
    private final Runnable room;
    private List<FailedRecords> kept = new ArrayList<>();
    private long keptBytes;

    /**
     * Begins without failures.
     *
     * @param room called under the lock, when callbacks have given room back
     */
    FailureReports(
            WriterLock lock,
            WriterTally tally,
            long maxBytes,
            @Nullable Consumer<? super FailedRecords> listener,
            SerialTasks callbacks,
            Runnable room) {
        this.lock = lock;
        this.tally = tally;
        this.maxBytes = maxBytes;
        this.listener = listener;
        this.callbacks = callbacks;
        this.room = room;
    }

    /** Reports a failure; called under the lock. */
    void add(FailedRecords failure) {
        int length = failure.content().length;
        if (kept.size() < MAX_KEPT) {
            boolean fits = keptBytes + length <= maxBytes;
            keptBytes += fits ? length : 0;
            kept.add(fits ? failure : new FailedRecords(failure.blob(), failure.records(), DROPPED, failure.cause()));
        }
        if (listener != null) {
            tally.undelivered(failure.records(), length);
            lock.afterwards(() -> callbacks.execute(() -> call(listener, failure)));
        }
    }

    private void call(Consumer<? super FailedRecords> called, FailedRecords failure) {
        try {
            called.accept(failure);
        } finally {
            lock.enter();
            try {
                tally.undelivered(-failure.records(), -failure.content().length);
                room.run();
            } finally {
                lock.leave();
            }
        }
    }

    List<FailedRecords> take() {
        List<FailedRecords> taken = kept;
        kept = new ArrayList<>();
        keptBytes = 0;
        return taken;
    }
}
