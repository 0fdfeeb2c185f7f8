package io.stowline.examples.shared;

/** A mistake in the options, described in one line. */
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
