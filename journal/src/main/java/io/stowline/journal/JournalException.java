package io.stowline.journal;

import org.jspecify.annotations.Nullable;

/**
 * A journal that could not do what was asked: its folder belongs to somebody else, it is full or closed, or the disk refused. The message
 * names the folder, and the value and the limit where there is one; never what a record holds.
 */
public final class JournalException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JournalException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    JournalException(String message) {
        this(message, null);
    }
}
