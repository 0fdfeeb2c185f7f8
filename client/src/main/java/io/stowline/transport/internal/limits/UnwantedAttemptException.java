package io.stowline.transport.internal.limits;

/** An attempt that was not made: the operations that it should carry have had their end. */
public final class UnwantedAttemptException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnwantedAttemptException() {
        super("not sent: the operations are no longer wanted", null, false, false);
    }
}
