package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The service refused the request as it stands (400, 405, 411, 413, 415, 416, 501, 505 and other 4xx). Trying again cannot help.
 */
public final class BadRequestException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public BadRequestException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
