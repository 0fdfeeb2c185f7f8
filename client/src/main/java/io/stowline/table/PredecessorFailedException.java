package io.stowline.table;

import io.stowline.error.internal.PrintableText;

/** An item that was not sent because an earlier one of the same entity failed; its cause is that failure. */
public final class PredecessorFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param entity the name of the entity
     * @param cause why the earlier item failed
     */
    public PredecessorFailedException(String entity, Throwable cause) {
        super(PrintableText.of("not sent: an earlier item of entity " + entity + " failed"), cause);
    }
}
