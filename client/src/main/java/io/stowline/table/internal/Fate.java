package io.stowline.table.internal;

import io.stowline.batching.BufferFullException;
import io.stowline.batching.ClosedException;
import io.stowline.batching.LeftoverException;
import io.stowline.batching.OversizeItemException;
import io.stowline.batching.WaitInterruptedException;
import io.stowline.error.StorageInterruptedException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** What becomes of an operation's record with the operation's end. */
enum Fate {
    /** It is for the next writer. */
    STAYS,
    /** It is forgotten. */
    LEAVES,
    /** It goes to those that were refused for good. */
    REJECTED;

    static Fate of(JournalTicket ticket, @Nullable Throwable failure) {
        if (failure instanceof LeftoverException) {
            return STAYS;
        }
        if (failure == null || failure instanceof CancellationException) {
            return LEAVES;
        }
        if (failure instanceof ClosedException) {
            // Of an operation that has a caller this is a refusal.
            return ticket.inherited() ? STAYS : LEAVES;
        }
        boolean refused = failure instanceof BufferFullException
                || (failure instanceof WaitInterruptedException && !(failure instanceof StorageInterruptedException))
                || failure instanceof OversizeItemException
                || failure instanceof IllegalStateException;
        return refused && !ticket.inherited() ? LEAVES : REJECTED;
    }

    /** In one line. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        String text = failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
        return text.replaceAll("\\s+", " ");
    }
}
