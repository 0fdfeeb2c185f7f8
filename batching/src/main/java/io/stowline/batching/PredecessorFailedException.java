package io.stowline.batching;

/** An item that was not sent because an earlier one of the same entity failed; its cause is that failure. */
public final class PredecessorFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PredecessorFailedException(Named entity, Throwable cause) {
        super("not sent: an earlier item of entity " + entity + " failed", cause);
    }
}
