package io.stowline.blob;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;

/**
 * A transfer of many blobs has failed: at its first failure, or because a folder or a listing could not be read, the client was closed or
 * the transfer was cancelled. Its cause is that failure. What had ended before is in {@link #report}; what was in flight was cancelled and is counted there, and its blobs and
 * files are as they were, or whole.
 */
public final class TransferFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient TransferReport report;

    /**
     * A failure.
     *
     * @param message what failed
     * @param cause the failure
     * @param report what had ended before
     */
    public TransferFailedException(String message, Throwable cause, TransferReport report) {
        super(PrintableText.of(message), cause);
        this.report = Objects.requireNonNull(report, "report");
    }

    /**
     * Returns what the transfer had done before it failed.
     *
     * @return the report, the failure included
     */
    public TransferReport report() {
        return report;
    }
}
