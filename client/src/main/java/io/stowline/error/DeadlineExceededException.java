package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The operation's deadline passed before any attempt could be sent, for example while it waited for a permit: nothing reached the service.
 * For a query with a deadline, the deadline passed before the last page came.
 */
public final class DeadlineExceededException extends StorageUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public DeadlineExceededException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
