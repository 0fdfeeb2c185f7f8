package io.stowline.table.internal.writer;

import io.stowline.batching.internal.writer.BatcherErrors;
import io.stowline.batching.internal.writer.UncollectedItems;
import io.stowline.error.ClosedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.BufferFullException;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.GaveUpException;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorFailedException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.UncollectedFailuresException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Factory of the public exceptions of writers, for the engine below them. */
public final class WriterErrors implements BatcherErrors {

    @Override
    public RuntimeException bufferFull(String message) {
        return new BufferFullException(message);
    }

    @Override
    public RuntimeException oversize(long size, int limit) {
        return new OversizeItemException(size, limit);
    }

    @Override
    public RuntimeException closed(String message) {
        return new ClosedException(message);
    }

    @Override
    public RuntimeException interrupted(String message, InterruptedException cause) {
        return new WaitInterruptedException(message, cause);
    }

    @Override
    public RuntimeException deliveryTimeout(String message, Duration timeout, @Nullable Throwable last) {
        return new DeliveryTimeoutException(message, timeout, last);
    }

    @Override
    public RuntimeException leftover(Object item, boolean sent) {
        return new LeftoverException(item, sent);
    }

    @Override
    public RuntimeException predecessorFailed(String entity, Throwable cause) {
        return new PredecessorFailedException(entity, cause);
    }

    @Override
    public RuntimeException predecessorUnknown(Object entity, String name, Throwable cause) {
        return new PredecessorUnknownException(entity, name, cause);
    }

    @Override
    public RuntimeException gaveUp(
            Duration after, long unsent, long inFlight, long failed, long succeeded, @Nullable Throwable last) {
        return new GaveUpException(after, unsent, inFlight, failed, succeeded, last);
    }

    @Override
    public @Nullable RuntimeException atClose(@Nullable Throwable broken, @Nullable UncollectedItems uncollected) {
        RuntimeException failures = uncollected == null ? null : uncollected(uncollected);
        if (!(broken instanceof GaveUpException end)) {
            return failures;
        }
        GaveUpException copy = new GaveUpException(
                end.after(), end.unsent(), end.inFlight(), end.failed(), end.succeeded(), end.getCause());
        if (failures != null) {
            copy.addSuppressed(failures);
        }
        return copy;
    }

    /** Makes the exception of failures whose results were not taken. */
    public static UncollectedFailuresException uncollected(UncollectedItems items) {
        return new UncollectedFailuresException(
                items.failures().stream()
                        .map(failed -> new ItemResult<Object, WriteResult>(failed.item(), null, failed.cause()))
                        .toList(),
                items.kinds());
    }

    /** Returns whether this is the refusal of an item that is larger than a batch may be. */
    static boolean isOversize(Throwable failure) {
        return failure instanceof OversizeItemException;
    }

    /** An exception for an item that does not fit even in a batch without others; it was not accepted. */
    private static final class OversizeItemException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        OversizeItemException(long size, int limit) {
            super("a batch of this item alone takes " + size + " bytes, the limit is " + limit);
        }
    }
}
