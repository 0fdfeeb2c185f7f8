package io.stowline.retry;

import org.jspecify.annotations.Nullable;

/** Signals an attempt that was not started because too little of the operation's time was left; nothing of it was sent. */
public final class RetryTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the attempt.
     *
     * @param message why it was not started
     * @param lastError the error of the attempt before it, or {@code null}
     */
    public RetryTimeoutException(String message, @Nullable Throwable lastError) {
        super(message, lastError);
    }
}
