package io.stowline.observe;

import io.stowline.outcome.WriteResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an operation ended. Immutable.
 *
 * @param kind how
 * @param elapsed the time since it began
 * @param written what became of a write that did not fail, or {@code null} for other operations
 * @param error what it failed with, as a rule a {@link io.stowline.error.StorageException}; {@code null} otherwise
 */
public record OperationEnd(
        Kind kind,
        Duration elapsed,
        @Nullable WriteResult written,
        @Nullable Throwable error) {

    /** How an operation ended. */
    public enum Kind {
        /** It did what was asked. */
        SUCCEEDED,
        /** It failed, and that is certain. */
        FAILED,
        /** It was a write, and nobody can tell what became of it. */
        UNKNOWN,
        /** Its caller did not want to wait for it any longer. */
        CANCELLED
    }
}
