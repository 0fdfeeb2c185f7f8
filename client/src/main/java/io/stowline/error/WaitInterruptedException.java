package io.stowline.error;

import io.stowline.error.internal.PrintableText;

/**
 * A thread was interrupted while it waited; its interrupt flag is set again. A submit that was interrupted has accepted
 * nothing; a close that was interrupted goes on. The base of every exception that stands for an interrupt.
 */
public class WaitInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was waited for
     * @param cause the interrupt
     */
    public WaitInterruptedException(String message, InterruptedException cause) {
        super(PrintableText.of(message), cause);
    }
}
