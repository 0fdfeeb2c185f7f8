package io.stowline.error;

import io.stowline.error.internal.PrintableText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The thread that waited for an operation was interrupted, or was interrupted before it called. Its interrupt flag is set again, the
 * wait ended at once and nothing more is sent for the operation. The message states whether a request had gone out by then, and {@link
 * #failure} holds the facts of it.
 */
public final class StorageInterruptedException extends WaitInterruptedException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable FailureDetails failure;

    /**
     * Makes the exception of a wait of which no more is known.
     *
     * @param cause the interrupt
     */
    public StorageInterruptedException(InterruptedException cause) {
        this(
                "interrupted while waiting for the operation to end; a write that had been sent may have been applied",
                cause,
                null);
    }

    /**
     * Makes the exception.
     *
     * @param message whether anything had been sent
     * @param cause the interrupt
     * @param failure the facts of the request that was given up, or {@code null} if there was none
     */
    public StorageInterruptedException(String message, InterruptedException cause, @Nullable FailureDetails failure) {
        super(PrintableText.of(message), cause);
        this.failure = failure;
    }

    /**
     * Returns the facts of the request that was given up. When its {@link FailureDetails#unansweredAttempts()} is not 0, it had gone out
     * and may have been applied. Of an entity with index rows whose transaction had been carried out they are those of that transaction, as
     * the message states.
     *
     * @return the facts; empty when there was no request, or nothing is known of it
     */
    public Optional<FailureDetails> failure() {
        return Optional.ofNullable(failure);
    }
}
