package io.stowline.retry;

import io.stowline.retry.engine.RetryQuota;
import org.jspecify.annotations.Nullable;

/**
 * The end of an operation: the last attempt's result or error, and the log of all attempts. Exactly one of {@code value} and {@code error}
 * is given. Immutable.
 *
 * @param <T> the type of the results
 * @param value the last attempt's result, also when it is a failure by its verdict; owned by the receiver
 * @param error the last attempt's error
 * @param verdict the last verdict
 * @param log the facts of all attempts
 * @param stop why there was no further attempt
 */
public record RetryResult<T>(
        @Nullable T value, @Nullable Throwable error, Verdict verdict, AttemptLog log, StopReason stop) {

    /**
     * Checks the parts.
     *
     * @param value the last attempt's result, also when it is a failure by its verdict; owned by the receiver
     * @param error the last attempt's error
     * @param verdict the last verdict
     * @param log the facts of all attempts
     * @param stop why there was no further attempt
     * @throws IllegalArgumentException if both or neither of value and error are given
     */
    public RetryResult {
        if ((value == null) == (error == null)) {
            throw new IllegalArgumentException("exactly one of value and error must be given");
        }
    }

    /**
     * Tells whether the last attempt did the work.
     *
     * @return whether it ended with {@link StopReason#SUCCEEDED}
     */
    public boolean succeeded() {
        return stop == StopReason.SUCCEEDED;
    }

    /** The reason why an operation made no further attempt. */
    public enum StopReason {
        /** The last attempt did the work. */
        SUCCEEDED,
        /** Trying again could not have helped. */
        NOT_RETRYABLE,
        /** All allowed retries were used. */
        RETRIES_EXHAUSTED,
        /** The time left was too short for the delay and another attempt. */
        DEADLINE,
        /** The server's retry hint was longer than the time left. */
        HINT_BEYOND_DEADLINE,
        /** The body had been consumed and could not be sent again. */
        BODY_NOT_REPLAYABLE,
        /** The client made no retry because its {@link RetryQuota} was empty. */
        QUOTA_EMPTY
    }
}
