package io.stowline.error;

/**
 * The thread that waited for an operation was interrupted. Its interrupt flag is set again, the wait ended at once and nothing
 * more is sent for the operation; what had been sent by then may have been applied.
 */
public final class StorageInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param cause the interrupt
     */
    public StorageInterruptedException(InterruptedException cause) {
        super("interrupted while waiting for the operation to end; what had been sent may have been applied", cause);
    }
}
