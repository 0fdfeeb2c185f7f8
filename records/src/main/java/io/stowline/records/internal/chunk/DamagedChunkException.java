package io.stowline.records.internal.chunk;

/** Signals a chunk whose file is gone or no longer holds what was written. */
public final class DamagedChunkException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message the file, and what is wrong with it
     * @param cause the finding
     */
    public DamagedChunkException(String message, Throwable cause) {
        super(message, cause);
    }
}
