package io.stowline.transport.internal;

import java.time.Duration;

/** Lets no attempts through while the service does not answer. Implementations are thread-safe. */
public interface Breaker {

    /** Lets all through. */
    Breaker OFF = new Breaker() {
        @Override
        public boolean tryPass() {
            return true;
        }

        @Override
        public void succeeded(Duration took) {}

        @Override
        public void failed(Duration took, String reason) {}

        @Override
        public void nothingLearned() {}

        @Override
        public String state() {
            return "off";
        }
    };

    /** Whether an attempt may go; if so, exactly one of the other three follows. */
    boolean tryPass();

    /** The service did its work, even if what was asked was wrong. */
    void succeeded(Duration took);

    /** The service did not answer, was too busy or said that it has a fault. */
    void failed(Duration took, String reason);

    /** The attempt was not sent, or given up by its caller. */
    void nothingLearned();

    /** Its state in lower case. */
    String state();
}
