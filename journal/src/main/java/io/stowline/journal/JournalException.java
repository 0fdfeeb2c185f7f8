package io.stowline.journal;

import org.jspecify.annotations.Nullable;

/**
 * Signals a failed operation of a journal: its folder belongs to another user, it is full or closed, or the disk refused. The message names
 * the folder, and the value and the limit where there is one; never what a record holds.
 */
public final class JournalException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what the journal cannot do
     * @param cause why, or null
     */
    public JournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Makes the exception.
     *
     * @param message what the journal cannot do
     */
    public JournalException(String message) {
        this(message, null);
    }
}
