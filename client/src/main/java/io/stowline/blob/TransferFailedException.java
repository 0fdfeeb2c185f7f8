package io.stowline.blob;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;

/**
 * The failure of a transfer of many blobs: at its first failure, or because a folder or a listing could not be read,
 * the client was closed or the transfer was cancelled. Its cause is the first failure. The earlier ends are in {@link
 * #report}. The blobs and files in flight were cancelled and are counted there; each is as it was, or whole.
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
