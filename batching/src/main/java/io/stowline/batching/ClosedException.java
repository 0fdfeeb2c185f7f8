package io.stowline.batching;

/** The writer or its engine is closed; the item was not accepted. */
public final class ClosedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClosedException(String message) {
        super(message);
    }
}
