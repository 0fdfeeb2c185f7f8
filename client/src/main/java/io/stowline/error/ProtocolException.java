package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a response that this client cannot read: a part of a batch is missing, a body is cut or is not JSON,
 * or the response breaks the rules of HTTP.
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
