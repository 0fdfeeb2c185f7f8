package io.stowline.retry.internal.timeout;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Signals an attempt that ran out of time: it was cancelled after its time-out without a response, or was not started because too little of
 * the operation's time was left. An attempt that was started may have been applied.
 */
public final class AttemptTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration limit;

    private final boolean started;

    /**
     * Describes an attempt that got no response in its time.
     *
     * @param number 1 for the first attempt
     * @param limit the time-out
     */
    public AttemptTimeoutException(int number, Duration limit) {
        super("attempt " + number + " gave no response within " + limit);
        this.limit = limit;
        this.started = true;
    }

    /**
     * Describes an attempt that was not started; nothing of it was sent.
     *
     * @param message why it was not started
     * @param lastError the error of the attempt before it, or {@code null}
     */
    public AttemptTimeoutException(String message, @Nullable Throwable lastError) {
        super(message, lastError);
        this.limit = Duration.ZERO;
        this.started = false;
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
     * Returns whether the attempt was started; one that was not cannot have been applied.
     *
     * @return whether it was started
     */
    public boolean started() {
        return started;
    }
}
