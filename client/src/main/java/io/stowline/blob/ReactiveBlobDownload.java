package io.stowline.blob;

import io.stowline.blob.internal.base.OpenedContent;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/**
 * The non-blocking face of a {@link BlobDownload}: the facts of a blob, and its content in the same version. Close it unless its content was
 * subscribed to.
 */
public final class ReactiveBlobDownload implements AutoCloseable {

    private final OpenedContent content;
    private final long offset;
    private final Flux<ByteBuffer> stream;

    ReactiveBlobDownload(OpenedContent content, long offset, Flux<ByteBuffer> stream) {
        this.content = content;
        this.offset = offset;
        this.stream = stream;
    }

    /**
     * Returns the blob in the version that is read.
     *
     * @return its facts
     */
    public BlobInfo info() {
        return content.info();
    }

    /**
     * Returns where in the blob the content begins; see {@link BlobDownload#offset}.
     *
     * @return the offset
     */
    public long offset() {
        return offset;
    }

    /**
     * Returns how many bytes the content has; see {@link BlobDownload#length}.
     *
     * @return bytes
     */
    public long length() {
        return content.length();
    }

    /**
     * Returns the content at the subscriber's pace, on the callback threads. It has one subscriber, whose end, error or cancel closes this.
     *
     * @return the content in its order; an {@link IllegalStateException} for a second subscriber
     */
    public Flux<ByteBuffer> stream() {
        return stream;
    }

    /** Ends the download and frees what it holds. Closing it again does nothing. */
    @Override
    public void close() {
        content.close();
    }

    @Override
    public String toString() {
        return "ReactiveBlobDownload[" + info().name() + ", " + length() + " bytes from " + offset + " on]";
    }
}
