package io.stowline.error;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation on the storage service that failed. The subclasses define what the failure means to the caller; {@link #failure()}
 * holds the facts.
 *
 * <p>The family is sealed, so that a {@code switch} over it can be complete. It is unchecked: most callers can only let it pass.
 */
public abstract sealed class StorageException extends RuntimeException
        permits AuthenticationException,
                BadRequestException,
                ConflictException,
                NotFoundException,
                OutcomeUnknownException,
                PreconditionFailedException,
                ProtocolException,
                StorageUnavailableException,
                TransactionFailedException {

    private static final long serialVersionUID = 1L;

    private final transient FailureDetails failure;

    StorageException(String message, FailureDetails failure, @Nullable Throwable cause) {
        super(PrintableText.of(message), cause);
        this.failure = Objects.requireNonNull(failure, "failure");
    }

    StorageException(FailureDetails failure, @Nullable Throwable cause) {
        this(failure.describe(), failure, cause);
    }

    /**
     * Returns the facts of the operation.
     *
     * @return the facts; {@code null} only in an exception that was read back from Java serialization
     */
    public final FailureDetails failure() {
        return failure;
    }
}
