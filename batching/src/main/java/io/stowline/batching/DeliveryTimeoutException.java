package io.stowline.batching;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The item had no success within its {@linkplain BatcherSettings#deliveryTimeout() time}, never will be sent again, and had no
 * effect. The message says where it waited; the cause is what its last attempt ended with, where there was one.
 */
public final class DeliveryTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The time from its acceptance within which it had to be delivered. */
    private final Duration timeout;

    DeliveryTimeoutException(Duration timeout, Node.State state, @Nullable Throwable last) {
        super("not delivered within " + timeout + " of its acceptance: " + where(state), last);
        this.timeout = timeout;
    }

    private static String where(Node.State state) {
        return switch (state) {
            case IN_FLIGHT, CHUNKED -> "what was sent had no effect on it, and it waited to be sent again";
            default -> "it was queued in its lane";
        };
    }

    /**
     * Returns the time.
     *
     * @return the time from its acceptance within which it had to be delivered
     */
    public Duration timeout() {
        return timeout;
    }
}
