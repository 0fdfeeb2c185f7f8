package io.stowline.retry.internal.gate;

/** Signals that a wait for a permit of a {@link Gate} reached its deadline; nothing was sent. */
public final class GateTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the wait.
     *
     * @param message what the request waited for, and how long
     */
    public GateTimeoutException(String message) {
        super(message);
    }
}
