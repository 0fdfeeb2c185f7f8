package io.stowline.table.transfer;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The progress of a transfer of a table.
 *
 * @param rows rows that are done so far, those of killed runs included; of a comparison the keys that were compared
 * @param fraction the share of the source that is done, 0 to 1: of a file by its rows, of a table by its key ranges, since the service has
 *     no count; of a comparison the mean of both sides
 * @param rate rows per second of this run
 * @param timeLeft how long the rest takes if it goes on like this run; empty before the first share is done
 */
public record TableTransferProgress(long rows, double fraction, double rate, Optional<Duration> timeLeft) {

    /**
     * Checks that no component is missing.
     *
     * @param rows rows that are done so far
     * @param fraction the share of the source that is done, 0 to 1
     * @param rate rows per second of this run
     * @param timeLeft how long the rest takes if it goes on like this run
     */
    public TableTransferProgress {
        Objects.requireNonNull(timeLeft, "timeLeft");
    }
}
