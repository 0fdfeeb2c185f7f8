package io.stowline.batching;

/** A group that cannot be one batch: empty, too many items, too many bytes, or an entity twice; nothing was accepted. */
public final class InvalidGroupException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message why the group cannot be one batch
     */
    public InvalidGroupException(String message) {
        super(message);
    }
}
