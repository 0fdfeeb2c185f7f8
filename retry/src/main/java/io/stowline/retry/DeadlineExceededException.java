package io.stowline.retry;

import org.jspecify.annotations.Nullable;

/** An attempt that was not started, because too little of the operation's time was left; nothing of it was sent. */
public final class DeadlineExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DeadlineExceededException(String message, @Nullable Throwable lastError) {
        super(message, lastError);
    }
}
