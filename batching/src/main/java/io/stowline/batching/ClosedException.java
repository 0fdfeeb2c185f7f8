package io.stowline.batching;

/**
 * What was used is closed: a writer or its engine, which did not accept the item, or the client, which sent nothing. Every
 * use of what is closed ends in this one exception.
 */
public final class ClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what is closed
     */
    public ClosedException(String message) {
        super(message);
    }
}
