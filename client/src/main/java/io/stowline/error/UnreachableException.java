package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The failure of an operation without a response: the connection could not be made, broke, or the attempt took longer than its limit.
 *
 * <p>{@link FailureDetails#unansweredAttempts()} is the number of attempts that the service may have carried out all the same.
 */
public final class UnreachableException extends StorageUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public UnreachableException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
