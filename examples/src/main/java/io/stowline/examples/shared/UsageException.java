package io.stowline.examples.shared;

/** Says in one line what is wrong with the options. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes it.
     *
     * @param message what is wrong
     */
    public UsageException(String message) {
        super(message);
    }
}
