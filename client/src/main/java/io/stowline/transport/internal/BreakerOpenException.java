package io.stowline.transport.internal;

/** An attempt that the circuit breaker did not let through; nothing was sent. Has no stack trace, for it is the same always. */
final class BreakerOpenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BreakerOpenException(String state) {
        super("this client did not send it, for the circuit breaker of this service is " + state, null, false, false);
    }
}
