package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The service answered, but not in a way that this client can read: a part of a batch is missing, a body is cut or is not JSON, or the
 * answer breaks the rules of HTTP.
 */
public final class ProtocolException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public ProtocolException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
