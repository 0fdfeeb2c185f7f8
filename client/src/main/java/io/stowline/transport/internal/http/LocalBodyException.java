package io.stowline.transport.internal.http;

/** The end of a request for which the receiver or the source of a body on this side is to blame: another attempt meets it again. */
public abstract sealed class LocalBodyException extends RuntimeException
        permits BodySink.RefusedBodyException, BodySlices.UnreadableBodyException {

    private static final long serialVersionUID = 1L;

    private final RuntimeException thrown;

    LocalBodyException(RuntimeException cause) {
        super(cause);
        this.thrown = cause;
    }

    /** Returns the exception of receiver or source, which the caller gets unchanged. */
    public RuntimeException thrown() {
        return thrown;
    }
}
