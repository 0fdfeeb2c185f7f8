package io.stowline.examples.quickstart;

/** Says that the job could not be done to its end. */
final class JobFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JobFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
