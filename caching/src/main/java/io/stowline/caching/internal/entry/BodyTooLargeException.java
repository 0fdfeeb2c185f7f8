package io.stowline.caching.internal.entry;

/** A body is larger than there is room for. */
public final class BodyTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BodyTooLargeException(long room) {
        super("the body of the answer has more than " + room + " bytes", null, false, false);
    }
}
