package io.stowline.blob;

import io.stowline.error.StorageException;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An output stream that writes one block blob of any length. No reader sees it before {@link #commit}; closing the writer without a commit publishes nothing, also when
 * an exception closes it (TRANSFER-5).
 *
 * <pre>{@code
 * try (BlobWriter out = photos.write("export.csv")) {
 *     csv.writeTo(out);
 *     out.commit();
 * }
 * }</pre>
 *
 * <p>Content up to the block size travels in one request. Longer content travels in blocks while it is written; a write waits while as many
 * are in flight as the settings allow, or while the memory of the client's transfers is taken. Blocks grow with their number, so that content
 * of any length fits into 50,000 of them. A writer that pauses while other transfers wait for memory sends what it holds as a shorter block.
 *
 * <p>A failed request or an interrupted call ends the writer. Blocks travel while the caller goes on writing, so that the next call after the
 * failure throws the {@link StorageException}, and all later ones throw an {@link IOException} with that cause. Blocks that were sent and not
 * committed are removed by the service after a week; the next upload of the same content takes them over.
 *
 * <p>For use by one thread at a time, but any thread may close it, which ends a write that waits. It refuses to block an event loop.
 */
public abstract class BlobWriter extends OutputStream {

    /** Makes a writer; {@link BlobContainer#write(String)} makes those of the library. */
    protected BlobWriter() {}

    /** Does nothing: bytes travel when a block is full, and no reader sees them before {@link #commit}. */
    @Override
    public void flush() {}

    /**
     * Makes the blob of all that was written. A second call gives the same result.
     *
     * @return what was written
     * @throws IOException if the writer was closed without a commit
     * @throws io.stowline.error.ConflictException if there is a blob of this name and it may not be overwritten
     * @throws io.stowline.error.PreconditionFailedException if the version to replace is not there
     * @throws io.stowline.error.OutcomeUnknownException if a response was lost and reading back does not show whether the blob was made
     */
    public abstract BlobWriteResult commit() throws IOException;

    /** Ends the writer. Without a commit nothing is published, and what is on its way is given up. */
    @Override
    public abstract void close();
}
