package io.stowline.ring.internal.move;

/** Signals that the service refused a write for the operations of the application, and applied nothing. */
public final class RefusedWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final RuntimeException refusal;

    /** Creates the exception around the refusal. */
    public RefusedWriteException(RuntimeException refusal) {
        super(refusal.getMessage(), refusal, false, false);
        this.refusal = refusal;
    }

    /** Returns the refusal. */
    public RuntimeException refusal() {
        return refusal;
    }
}
