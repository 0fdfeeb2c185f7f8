package io.stowline.caching.internal;

/** The shelf has failed, and not the transfer. */
final class ShelfFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ShelfFault(Throwable cause) {
        super("the shelf has failed", cause);
    }
}
