package io.stowline.blob;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import reactor.core.publisher.Mono;

/**
 * A transfer of many blobs that runs: of {@link BlobContainer#uploadDirectory} and its like. It runs whether or not a thread waits for it. It ends
 * by itself, by {@link #cancel}, or with the close of its client: blobs in flight go on to their ends then, within the time of the close, and no
 * other one begins.
 *
 * <p>Thread-safe.
 */
public interface Transfer {

    /**
     * Waits for the end. An interrupt ends the wait, not the transfer.
     *
     * @return what was done
     * @throws TransferFailedException if the transfer failed; blobs that fail under {@link DirectorySettings.Builder#collectFailures} are in the report instead; with a
     *     {@link CancellationException} as its cause if the transfer was cancelled
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted
     * @throws IllegalStateException in a listener of this transfer, which the end waits for
     */
    TransferReport join();

    /**
     * Waits for the end, but no longer than this.
     *
     * @param atMost the time for it
     * @return what was done; empty if the transfer still runs
     * @throws TransferFailedException if the transfer failed, or was cancelled
     * @throws io.stowline.error.StorageInterruptedException if the waiting thread is interrupted
     */
    Optional<TransferReport> join(Duration atMost);

    /**
     * Cancels the transfer. Blobs and files that are being written stay as they were; what has ended stays done. After the end it does
     * nothing.
     */
    void cancel();

    /**
     * Returns how far the transfer has come.
     *
     * @return its progress at this moment
     */
    TransferProgress progress();

    /**
     * Returns the end of the transfer without a wait. Cancelling the subscription does not cancel the transfer.
     *
     * @return what was done, or the failure as {@link #join} throws it, on the callback threads
     */
    Mono<TransferReport> whenComplete();
}
