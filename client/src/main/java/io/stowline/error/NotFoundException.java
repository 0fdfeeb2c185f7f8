package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The entity, table or other resource is not there (404).
 */
public final class NotFoundException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public NotFoundException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
