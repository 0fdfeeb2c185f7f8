package io.stowline.ring.internal.move;

/** Signals that a fence row is gone, so that nothing of the transaction with it was applied. */
public final class FenceClosedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception for a write that goes on elsewhere: it needs no stack. */
    public FenceClosedException() {
        super("the partition is being moved", null, false, false);
    }
}
