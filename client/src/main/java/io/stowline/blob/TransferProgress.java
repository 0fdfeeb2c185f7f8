package io.stowline.blob;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The progress of a transfer of one blob or of many, at one moment.
 *
 * <p>{@code bytesDone} goes back where a part of a blob starts again, and where a blob fails. The totals are empty until all blobs of the
 * transfer are known, because a folder or a listing is read while its blobs travel.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param bytesDone bytes of content that have arrived
 * @param bytesTotal bytes of content of all blobs, once all are known
 * @param blobsDone blobs that have ended: transferred, unchanged, deleted or failed
 * @param blobsTotal all blobs of the transfer, once all are known
 * @param rate bytes per second over the last ten seconds; 0 before the first byte
 * @param timeLeft how long the rest takes at this rate; zero once the transfer has ended; empty without totals, or where nothing moves
 * @param retries requests with content, up or down, that were sent again so far
 */
public record TransferProgress(
        long bytesDone,
        OptionalLong bytesTotal,
        long blobsDone,
        OptionalLong blobsTotal,
        double rate,
        Optional<Duration> timeLeft,
        long retries) {

    /**
     * Checks that no component is missing.
     *
     * @param bytesDone bytes of content that have arrived
     * @param bytesTotal bytes of content of all blobs, once all are known
     * @param blobsDone blobs that have ended: transferred, unchanged, deleted or failed
     * @param blobsTotal all blobs of the transfer, once all are known
     * @param rate bytes per second over the last ten seconds; 0 before the first byte
     * @param timeLeft how long the rest takes at this rate; empty without totals, or where nothing moves
     * @param retries requests with content, up or down, that were sent again so far
     */
    public TransferProgress {
        Objects.requireNonNull(bytesTotal, "bytesTotal");
        Objects.requireNonNull(blobsTotal, "blobsTotal");
        Objects.requireNonNull(timeLeft, "timeLeft");
    }
}
