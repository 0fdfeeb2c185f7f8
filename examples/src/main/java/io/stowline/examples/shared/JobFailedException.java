package io.stowline.examples.shared;

/** The failure of a job that could not be done to its end. */
public final class JobFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes it.
     *
     * @param message what failed
     */
    public JobFailedException(String message) {
        super(message);
    }

    /**
     * Makes it.
     *
     * @param message what failed
     * @param cause why
     */
    public JobFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
