package io.stowline.retry.internal.rate;

import java.time.Duration;

/** Signals a request that a {@link RateLimit} could not admit before its deadline; nothing was sent. */
public final class RateTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration needed;

    /**
     * Describes the wait.
     *
     * @param message what the request waited for
     * @param needed how long it would have had to wait
     */
    public RateTimeoutException(String message, Duration needed) {
        super(message);
        this.needed = needed;
    }

    /**
     * Returns how long the request would have had to wait.
     *
     * @return the wait, as of the moment of the request
     */
    public Duration needed() {
        return needed;
    }
}
