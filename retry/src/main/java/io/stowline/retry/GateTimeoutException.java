package io.stowline.retry;

/** A wait for a permit of a {@link Gate} that met its deadline; nothing was sent. */
public final class GateTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    GateTimeoutException(String message) {
        super(message);
    }
}
