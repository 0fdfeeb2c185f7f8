package io.stowline.retry;

import java.time.Duration;

/** Signals an attempt that was cancelled after its timeout without a response; it may have been applied if it was started. */
public final class AttemptTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The limit. */
    private final Duration limit;

    /** Whether the attempt was started. */
    private final boolean started;

    /**
     * Describes an attempt that timed out.
     *
     * @param number 1 for the first attempt
     * @param limit the time-out
     * @param started whether the attempt was started
     */
    public AttemptTimeoutException(int number, Duration limit, boolean started) {
        super(
                started
                        ? "attempt " + number + " gave no answer within " + limit
                        : "attempt " + number + " was not started: no time was left");
        this.limit = limit;
        this.started = started;
    }

    /**
     * Returns the time that the attempt had.
     *
     * @return the limit, zero when it was not started
     */
    public Duration limit() {
        return limit;
    }

    /**
     * Tells whether the attempt was started; one that was not cannot have been applied.
     *
     * @return whether it was started
     */
    public boolean started() {
        return started;
    }
}
