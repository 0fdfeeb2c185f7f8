package io.stowline.table.transfer;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of an export, an import or a copy; of a dry run, the result that it would have. Figures of a transfer that was killed and went
 * on cover all its runs, except for {@link #elapsed} and {@link #resumed}.
 *
 * @param read entities or rows that the source had
 * @param written entities that were written to the target or the file
 * @param unchanged rows whose entity stayed: it was equal, or newer; after a kill also those that the killed run had just inserted
 * @param rejected rows that the target does not take, each in the file of rejected rows with its reason
 * @param checksum the checksum of all entities that were read and not rejected, the same for every order of them; empty for a dry run
 * @param elapsed how long this run took
 * @param resumed whether this run went on behind rows that an earlier one had kept
 */
public record TableTransferReport(
        long read,
        long written,
        long unchanged,
        long rejected,
        Optional<String> checksum,
        Duration elapsed,
        boolean resumed) {

    /**
     * Checks that no component is missing.
     *
     * @param read entities or rows that the source had
     * @param written entities that were written
     * @param unchanged rows whose entity stayed
     * @param rejected rows that the target does not take
     * @param checksum the checksum of all entities that were read and not rejected
     * @param elapsed how long this run took
     * @param resumed whether this run went on behind rows that an earlier one had kept
     */
    public TableTransferReport {
        Objects.requireNonNull(checksum, "checksum");
        Objects.requireNonNull(elapsed, "elapsed");
    }
}
