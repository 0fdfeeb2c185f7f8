package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The client's circuit breaker is open: the service has failed so often lately that nothing is sent for a while. Nothing of this
 * operation was carried out, unless {@link FailureDetails#unansweredAttempts()} counts an earlier attempt.
 */
public final class CircuitOpenException extends StorageUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public CircuitOpenException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
