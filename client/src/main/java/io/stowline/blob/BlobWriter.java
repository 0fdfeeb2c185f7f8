package io.stowline.blob;

import io.stowline.blob.internal.upload.BlockWriter;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

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
public final class BlobWriter extends OutputStream {

    private static final int BUFFER = 8 << 10;

    private final BlockWriter blocks;
    private final byte[] buffer = new byte[BUFFER];
    private int buffered;
    private @Nullable BlobWriteResult result;
    private @Nullable RuntimeException failure;
    private volatile boolean closed;

    BlobWriter(BlockWriter blocks) {
        this.blocks = blocks;
    }

    @Override
    public void write(int b) throws IOException {
        ready();
        if (buffered == BUFFER) {
            pass();
        }
        buffer[buffered++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        ready();
        if (length > BUFFER - buffered) {
            pass();
        }
        if (length > BUFFER) {
            await(blocks.append(ByteBuffer.wrap(bytes, offset, length)));
        } else {
            System.arraycopy(bytes, offset, buffer, buffered, length);
            buffered += length;
        }
    }

    private void pass() throws IOException {
        if (buffered > 0) {
            int length = buffered;
            buffered = 0;
            await(blocks.append(ByteBuffer.wrap(buffer, 0, length)));
        }
    }

    private void ready() throws IOException {
        refuseEnded();
        if (blocks.failure() != null) {
            await(Mono.error(blocks.failure()));
        }
    }

    /** A failed or interrupted call has taken an unknown part of its bytes: the writer ends with it. */
    private <T> @Nullable T await(Mono<T> call) throws IOException {
        try {
            return BlockingAwait.on(call);
        } catch (RuntimeException e) {
            failure = e;
            blocks.close();
            if (Exceptions.unwrap(e) instanceof IOException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private void refuseEnded() throws IOException {
        if (failure != null) {
            throw new IOException("the writer has failed: " + failure.getMessage(), failure);
        }
        if (closed || result != null) {
            throw new IOException("the writer is " + (result == null ? "closed" : "committed"));
        }
    }

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
    public BlobWriteResult commit() throws IOException {
        BlobWriteResult made = result;
        if (made != null) {
            return made;
        }
        refuseEnded();
        pass();
        made = Objects.requireNonNull(await(blocks.commit()), "the upload ended without a result");
        result = made;
        return made;
    }

    /** Ends the writer. Without a commit nothing is published, and what is on its way is given up. */
    @Override
    public void close() {
        closed = true;
        blocks.close();
    }
}
