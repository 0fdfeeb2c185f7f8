package io.stowline.transport.internal.limits;

import java.time.Duration;

/** A guard that lets no attempts through while the service does not respond. Implementations are thread-safe. */
public interface CircuitBreakerGuard {

    /** Lets all through. */
    CircuitBreakerGuard OFF = new CircuitBreakerGuard() {
        @Override
        public boolean tryPass() {
            return true;
        }

        @Override
        public void succeeded(Duration took) {}

        @Override
        public void failed(Duration took, String reason) {}

        @Override
        public void releaseUnjudged() {}

        @Override
        public String state() {
            return "off";
        }
    };

    /** Returns whether an attempt may go; if so, exactly one of the other three follows. */
    boolean tryPass();

    /** Counts an attempt for which the service did its work, even if the request was wrong. */
    void succeeded(Duration took);

    /** Counts an attempt for which the service did not respond, was too busy or reported a fault. */
    void failed(Duration took, String reason);

    /** Drops an attempt that was not sent, or was given up by its caller. */
    void releaseUnjudged();

    /** Returns its state in lower case. */
    String state();

    /** An attempt that the circuit breaker did not let through; nothing was sent. Has no stack trace, for it is the same always. */
    public static final class BreakerOpenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public BreakerOpenException(String state) {
            super(
                    "this client did not send it, for the circuit breaker of this service is " + state,
                    null,
                    false,
                    false);
        }
    }
}
