package io.stowline.caching.internal.entry;

/** The shelf has failed, and not the transfer. */
public final class StoreFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreFault(Throwable cause) {
        super("the shelf has failed", cause);
    }
}
