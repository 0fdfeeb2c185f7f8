package io.stowline.blob;

import io.stowline.error.internal.PrintableText;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a transfer of many blobs; of a dry run, the result that the transfer would have.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param transferred blobs or files that were written
 * @param copied those of them whose content the service copied, so that none of it travelled through this client
 * @param unchanged blobs or files that the target had already, equal to the source
 * @param skipped blobs or files that the settings or what they are leave alone: those that may not be overwritten,
 *     symbolic links, markers of folders, blobs that a mirror of a folder keeps since no file can have their names, and
 *     those that the service does not read, replace or delete
 * @param deleted blobs or files that were deleted
 * @param failed blobs or files that failed, all of them
 * @param cancelled blobs or files in flight that a failure of the transfer cancelled: each is as it was, or whole, or gone if it was to be
 *     deleted
 * @param failures the failures in the order of their ends, the first {@link #MAX_FAILURES} of them
 * @param bytes the content of the transferred ones
 * @param elapsed how long the transfer took
 */
public record TransferReport(
        long transferred,
        long copied,
        long unchanged,
        long skipped,
        long deleted,
        long failed,
        long cancelled,
        List<Item> failures,
        long bytes,
        Duration elapsed) {

    /** The most failures that a report lists; {@link #failed} counts those beyond too. */
    public static final int MAX_FAILURES = 1_000;

    /** The end of a blob or file. */
    public enum Action {
        /** The content was written to the target, through this client. */
        TRANSFERRED,
        /** The service copied the content to the target. */
        COPIED,
        /** The target had it already, equal to the source. */
        UNCHANGED,
        /** The settings, or what it is, leave it alone. */
        SKIPPED,
        /** Deleted. */
        DELETED,
        /** Moved to another access tier. */
        MOVED,
        /** Failed, by {@link Item#error}. */
        FAILED,
        /** A failure of the transfer cancelled it in flight: it is as it was, or whole, or gone if it was to be deleted. */
        CANCELLED
    }

    /**
     * The end of one blob or file of a transfer.
     *
     * @param name its name below the directory, with {@code /} between segments
     * @param action what became of it
     * @param bytes the content that was transferred, else 0
     * @param error why it failed, why it was left alone, or the failure that cancelled it; else {@code null}
     */
    public record Item(
            String name,
            Action action,
            long bytes,
            @Nullable Throwable error) {

        /**
         * Checks that there is a name and an action.
         *
         * @param name its name below the directory, with {@code /} between segments
         * @param action what became of it
         * @param bytes the content that was transferred, else 0
         * @param error why it failed, or why it was left alone; else {@code null}
         */
        public Item {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(action, "action");
        }

        @Override
        public String toString() {
            return PrintableText.of(
                    "Item[name=" + name + ", action=" + action + ", bytes=" + bytes + ", error=" + error + "]");
        }
    }

    /**
     * Keeps its own copy of the failures.
     *
     * @param transferred blobs or files that were written
     * @param copied those of them whose content the service copied
     * @param unchanged blobs or files that the target had already, equal to the source
     * @param skipped blobs or files that the settings leave alone
     * @param deleted blobs or files that were deleted
     * @param failed blobs or files that failed, all of them
     * @param cancelled blobs or files in flight that a failure of the transfer cancelled
     * @param failures the failures in the order of their ends, the first {@link #MAX_FAILURES} of them
     * @param bytes the content of the transferred ones
     * @param elapsed how long the transfer took
     */
    public TransferReport {
        failures = List.copyOf(failures);
        Objects.requireNonNull(elapsed, "elapsed");
    }
}
