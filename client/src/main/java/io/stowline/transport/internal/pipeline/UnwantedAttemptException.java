package io.stowline.transport.internal.pipeline;

/** An attempt that was not made: the operations that it should carry have had their end. */
final class UnwantedAttemptException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnwantedAttemptException() {
        super("not sent: the operations are no longer wanted", null, false, false);
    }
}
