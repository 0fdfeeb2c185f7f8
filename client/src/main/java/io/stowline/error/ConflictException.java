package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * What should be made is there already, or the resource is in a state that does not allow the operation (409).
 *
 * <p>When {@link Failure#unanswered()} is not 0, an earlier attempt of this same operation may be the one that made it.
 */
public final class ConflictException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public ConflictException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
