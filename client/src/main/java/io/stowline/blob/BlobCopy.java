package io.stowline.blob;

import java.time.Duration;
import java.util.Optional;

/**
 * A copy that the service makes on its own schedule: of {@link BlobContainer#startCopy(BlobContainer, String, String)}. It goes on whether or not a
 * thread, or a process, waits for it. A copy that has failed or was aborted leaves an empty blob in the service; {@link #join} and {@link #abort}
 * remove it.
 *
 * <p>Thread-safe.
 */
public interface BlobCopy {

    /**
     * Returns the name of the target.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the id by which the service knows the copy, and {@link BlobContainer#pendingCopy} finds it again.
     *
     * @return the id
     */
    String id();

    /**
     * Returns the reactive face.
     *
     * @return the same copy
     */
    ReactiveBlobCopy reactive();

    /**
     * Requests how far the copy has come.
     *
     * @return its progress
     * @throws io.stowline.error.ConflictException if the blob is not, or no longer, the target of this copy
     * @throws io.stowline.error.NotFoundException if the blob is gone
     */
    CopyProgress progress();

    /**
     * Waits for the end, by a request after one second at first and after 15 seconds later. An interrupt ends the wait, not the copy.
     *
     * @return the facts of the copy
     * @throws io.stowline.error.ServerErrorException if the copy failed or was aborted, and its empty target was removed
     * @throws io.stowline.error.ConflictException if the blob is not, or no longer, the target of this copy
     * @throws io.stowline.error.NotFoundException if the blob is gone
     * @throws io.stowline.error.ClosedException if the client is closed before the end
     */
    BlobInfo join();

    /**
     * Waits for the end, but no longer than this.
     *
     * @param atMost the time for it
     * @return the facts of the copy; empty if it is still pending
     * @throws io.stowline.error.ServerErrorException if the copy failed or was aborted, and its empty target was removed
     * @throws io.stowline.error.ClosedException if the client is closed before the end
     */
    Optional<BlobInfo> join(Duration atMost);

    /**
     * Aborts the copy, and removes its empty target.
     *
     * @return whether it was aborted, or had failed; false if it has succeeded before
     * @throws io.stowline.error.ConflictException if the blob is not, or no longer, the target of this copy
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and the copy is still pending
     */
    boolean abort();
}
