package io.stowline.caching.internal;

/** The load of another reader has failed for a reason that is not this reader's; it looks again. */
final class HandedOver extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HandedOver(Throwable failure) {
        super("the load of another reader has failed", failure, false, false);
    }
}
