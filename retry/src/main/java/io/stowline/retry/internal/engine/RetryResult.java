package io.stowline.retry.internal.engine;

import io.stowline.retry.StopReason;
import io.stowline.retry.internal.timeout.AttemptLog;
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
     * Returns whether the last attempt did the work.
     *
     * @return whether it ended with {@link StopReason#SUCCEEDED}
     */
    public boolean succeeded() {
        return stop == StopReason.SUCCEEDED;
    }
}
