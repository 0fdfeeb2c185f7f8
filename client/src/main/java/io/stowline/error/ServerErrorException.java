package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The service failed on its side (500 without throttling, 502, 504, 408) and went on failing until the retries or the time were used up.
 */
public final class ServerErrorException extends StorageUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public ServerErrorException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
