package io.stowline.ring;

/** Signals that the ring of this process is not the one that its accounts describe, so that the process must not use them. */
public final class RingMismatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from both rings.
     *
     * @param own the ring of this process
     * @param described the ring that an account describes
     */
    public RingMismatchException(String own, String described) {
        super(OneLine.of(own) + " does not fit the ring that its accounts describe, " + OneLine.of(described)
                + ": give all processes the same accounts, weights and regions");
    }
}
