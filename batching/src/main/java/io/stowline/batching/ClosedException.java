package io.stowline.batching;

/**
 * The writer or its engine is closed; the item was not accepted. Like every use of what is closed it is an
 * {@link IllegalStateException}.
 */
public final class ClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    ClosedException(String message) {
        super(message);
    }
}
