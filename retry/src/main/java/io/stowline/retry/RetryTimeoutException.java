package io.stowline.retry;

import org.jspecify.annotations.Nullable;

/** An attempt that was not started, because too little of the operation's time was left; nothing of it was sent. */
public final class RetryTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RetryTimeoutException(String message, @Nullable Throwable lastError) {
        super(message, lastError);
    }
}
