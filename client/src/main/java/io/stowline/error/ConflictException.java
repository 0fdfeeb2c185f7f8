package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The resource to create exists already, or its state does not allow the operation (409).
 *
 * <p>When {@link FailureDetails#unansweredAttempts()} is not 0, an earlier attempt of this same operation may be the one that made it.
 */
public final class ConflictException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public ConflictException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }

    /**
     * Returns whether the table, queue or container was deleted a short time ago and its name is not free yet. Nothing exists then: the same
     * operation succeeds later, once the resource is created again.
     *
     * @return true for the codes {@code TableBeingDeleted}, {@code QueueBeingDeleted} and {@code ContainerBeingDeleted}
     */
    public boolean isBeingDeleted() {
        String code = failure().errorCode();
        return code != null && code.endsWith("BeingDeleted");
    }
}
