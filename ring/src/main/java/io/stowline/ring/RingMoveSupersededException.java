package io.stowline.ring;

/** Signals that a later mover of the same ring has begun, so that this one stopped. */
public final class RingMoveSupersededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from the numbers of both movers.
     *
     * @param term the number of the mover that stopped
     * @param later the number of the later one
     */
    public RingMoveSupersededException(long term, long later) {
        super("mover " + term + " of the ring stopped, since mover " + later + " has begun after it");
    }
}
