package io.stowline.observe;

import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The end of an operation. Immutable.
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

    /** The end of an operation. */
    public enum Kind {
        /** The operation succeeded. */
        SUCCEEDED,
        /** The operation failed, and that is certain. */
        FAILED,
        /** The operation was a write, and its outcome is unknown. */
        UNKNOWN,
        /** The caller cancelled the operation. */
        CANCELLED
    }

    @Override
    public String toString() {
        return PrintableText.of("OperationEnd[kind=" + kind + ", elapsed=" + elapsed + ", written=" + written
                + ", error=" + error + "]");
    }
}
