package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * A condition of the request did not hold (412): as a rule another client has changed the entity, so that its ETag differs.
 *
 * <p>When {@link FailureDetails#unansweredAttempts()} is not 0, an earlier attempt of this same operation may be what changed it.
 */
public final class PreconditionFailedException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public PreconditionFailedException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
