package io.stowline.batching;

/**
 * A thread was interrupted while it waited; its interrupt flag is set again. A submit that was interrupted has accepted
 * nothing; a close that was interrupted goes on.
 */
public final class WaitInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WaitInterruptedException(String message, InterruptedException cause) {
        super(message, cause);
    }
}
