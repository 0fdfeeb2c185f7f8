package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The service did not accept who we are or what we may do (401, 403). Trying again with the same credential cannot help.
 */
public final class AuthenticationException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public AuthenticationException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
