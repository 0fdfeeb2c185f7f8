package io.stowline.outcome;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The end of one of several items: it has either a result or an error. Immutable.
 *
 * @param item what was given: the body of a message, the context of an operation, or the operation that failed
 * @param result the result, or {@code null} if the item failed
 * @param error the failure, or {@code null}
 * @param <I> the type of the items
 * @param <R> the type of the results
 */
public record ItemResult<I, R>(
        I item, @Nullable R result, @Nullable Throwable error) {

    /**
     * Returns whether the item has a result.
     *
     * @return false if it failed; after an unknown outcome it may have been written all the same
     */
    public boolean succeeded() {
        return error == null;
    }

    /**
     * Returns the result, or throws the failure.
     *
     * @return the result
     * @throws RuntimeException the failure as it is when it is unchecked, and as the cause of a {@link CompletionException} otherwise
     */
    public R get() {
        if (error instanceof RuntimeException failure) {
            throw failure;
        }
        if (error instanceof Error failure) {
            throw failure;
        }
        if (error != null) {
            throw new CompletionException(error);
        }
        return Objects.requireNonNull(result, "result");
    }

    @Override
    public String toString() {
        return PrintableText.of("ItemResult[" + (error == null ? result : error) + "]");
    }
}
