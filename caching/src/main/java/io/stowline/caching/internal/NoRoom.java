package io.stowline.caching.internal;

/** A body is larger than there is room for. */
final class NoRoom extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoRoom(long room) {
        super("the body of the answer has more than " + room + " bytes", null, false, false);
    }
}
