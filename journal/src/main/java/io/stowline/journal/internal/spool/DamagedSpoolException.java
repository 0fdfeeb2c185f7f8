package io.stowline.journal.internal.spool;

/** Signals a spool file that is gone, or no longer holds what was written. */
public final class DamagedSpoolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DamagedSpoolException(String message) {
        super(message);
    }
}
