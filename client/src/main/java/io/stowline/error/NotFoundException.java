package io.stowline.error;

import io.stowline.error.internal.StatusMeaning;
import org.jspecify.annotations.Nullable;

/**
 * The failure of an operation on a missing entity, table or other resource (404). {@link #isContainerMissing()}
 * distinguishes a missing table, queue or container from a missing row, message or blob.
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

    /**
     * Returns whether the table, queue or container itself is missing, and not a row, message or blob in it. It was not created, or was
     * deleted: in general a fault of the configuration, while a missing row is a matter of the data.
     *
     * @return true for the codes {@code TableNotFound}, {@code QueueNotFound} and {@code ContainerNotFound}
     */
    public boolean isContainerMissing() {
        String code = failure().errorCode();
        return StatusMeaning.TABLE_MISSING.has(code) || StatusMeaning.CONTAINER_MISSING.has(code);
    }
}
