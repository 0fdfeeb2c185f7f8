package io.stowline.examples.quickstart;

/** Says in one line what is wrong with the options. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
