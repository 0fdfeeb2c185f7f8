package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The operation's deadline passed before any attempt could be sent, for example while it waited for its turn. The service was
 * not asked.
 */
public final class DeadlineExceededException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public DeadlineExceededException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
