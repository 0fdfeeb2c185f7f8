package io.stowline.error;

import io.stowline.error.internal.PrintableText;

/**
 * The exception for every use of a closed writer, engine or client. A writer did not accept the item; a client sent
 * nothing.
 */
public final class ClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what is closed
     */
    public ClosedException(String message) {
        super(PrintableText.of(message));
    }
}
