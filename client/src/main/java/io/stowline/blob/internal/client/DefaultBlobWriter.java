package io.stowline.blob.internal.client;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.BlobWriter;
import io.stowline.blob.internal.upload.ContentWriter;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** {@link BlobWriter} that collects small writes and passes them to a {@link ContentWriter}. */
final class DefaultBlobWriter extends BlobWriter {

    private static final int BUFFER = 8 << 10;

    private final ContentWriter blocks;
    private final byte[] buffer = new byte[BUFFER];
    private int buffered;
    private @Nullable BlobWriteResult result;
    private @Nullable RuntimeException failure;
    private volatile boolean closed;

    DefaultBlobWriter(ContentWriter blocks) {
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

    @Override
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

    @Override
    public void close() {
        closed = true;
        blocks.close();
    }
}
