package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The service throttled the operation (503 ServerBusy, 500 OperationTimedOut or 429) until the retries or the time were used up. Fewer
 * requests at once, or another partitioning, help; trying again at once does not.
 */
public final class ThrottledException extends StorageUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public ThrottledException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
