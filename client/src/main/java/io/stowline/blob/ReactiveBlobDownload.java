package io.stowline.blob;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/**
 * The non-blocking face of a {@link BlobDownload}: the facts of a blob, and its content in the same version. Close it unless its content was
 * subscribed to.
 */
public interface ReactiveBlobDownload extends AutoCloseable {

    /**
     * Returns the blob in the version that is read.
     *
     * @return its facts
     */
    BlobInfo info();

    /**
     * Returns where in the blob the content begins; see {@link BlobDownload#offset}.
     *
     * @return the offset
     */
    long offset();

    /**
     * Returns how many bytes the content has; see {@link BlobDownload#length}.
     *
     * @return bytes
     */
    long length();

    /**
     * Returns the content at the subscriber's pace, on the callback threads. It has one subscriber, whose end, error or cancel closes this.
     *
     * @return the content in its order; an {@link IllegalStateException} for a second subscriber
     */
    Flux<ByteBuffer> stream();

    /** Ends the download and frees what it holds. Closing it again does nothing. */
    @Override
    void close();
}
