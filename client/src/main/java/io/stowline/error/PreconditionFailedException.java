package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * A condition of the request did not hold: as a rule somebody else changed the entity, so that its ETag is another one (412).
 *
 * <p>When {@link Failure#unanswered()} is not 0, an earlier attempt of this same operation may be what changed it.
 */
public final class PreconditionFailedException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public PreconditionFailedException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
