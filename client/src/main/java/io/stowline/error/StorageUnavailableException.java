package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * A storage that is not there for a time: it is not reached, fails, demands fewer requests, or is not called since the circuit breaker is open
 * or the time is over. The operation was not carried out, and may be repeated later. A write that may have been applied is an {@link
 * OutcomeUnknownException} instead.
 */
public abstract sealed class StorageUnavailableException extends StorageException
        permits CircuitOpenException,
                DeadlineExceededException,
                ServerErrorException,
                ThrottledException,
                UnreachableException {

    private static final long serialVersionUID = 1L;

    StorageUnavailableException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
