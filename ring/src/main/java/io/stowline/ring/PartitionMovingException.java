package io.stowline.ring;

import java.time.Duration;

/** Signals an operation that waited in vain for its partition or blob to arrive in another account. Nothing of it was applied. */
public final class PartitionMovingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param table the table, or the container by {@code container} and its name
     * @param waited how long the operation waited
     */
    public PartitionMovingException(String table, Duration waited) {
        super("a partition or blob of " + OneLine.of(table) + " is moving to another account for longer than " + waited
                + ": repeat the operation later, and run the move again if it has stopped");
    }
}
