package io.stowline.retry.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * A classifier of attempts: it judges the end of each one. Called once per attempt, on the thread that ended it: it must not block. What it
 * throws ends the operation as not retryable.
 *
 * @param <T> the type of the results
 */
@FunctionalInterface
public interface Classifier<T> {

    /**
     * Judges a result or an error; exactly one of them is given.
     *
     * @param result the attempt's result, null when it failed
     * @param error the attempt's error, null when it gave a result
     * @return the verdict
     */
    Verdict classify(@Nullable T result, @Nullable Throwable error);
}
