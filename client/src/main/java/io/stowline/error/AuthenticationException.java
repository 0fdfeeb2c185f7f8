package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The service refused the credential or its permissions (401, 403). Trying again with the same credential cannot help.
 */
public final class AuthenticationException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public AuthenticationException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
