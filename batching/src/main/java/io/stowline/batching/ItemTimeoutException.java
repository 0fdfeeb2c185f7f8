package io.stowline.batching;

import java.time.Duration;

/**
 * The item was not sent within its {@linkplain BatcherSettings#itemTimeout() time} and never will be: it had no effect. The message says where
 * it waited.
 */
public final class ItemTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The time from the submit within which it had to be sent. */
    private final Duration timeout;

    ItemTimeoutException(Duration timeout, Node.State state) {
        super("not sent within " + timeout + " of its submit: " + where(state));
        this.timeout = timeout;
    }

    private static String where(Node.State state) {
        return switch (state) {
            case WAITING -> "it waited for room in the buffer and was not accepted";
            case IN_FLIGHT, CHUNKED -> "the batch that it was in had no effect on it, and it waited to be sent again";
            default -> "it was queued in its lane";
        };
    }

    /**
     * Returns the time.
     *
     * @return the time from the submit within which it had to be sent
     */
    public Duration timeout() {
        return timeout;
    }
}
