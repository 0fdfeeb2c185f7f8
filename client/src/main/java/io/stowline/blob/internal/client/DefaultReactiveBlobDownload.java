package io.stowline.blob.internal.client;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.ReactiveBlobDownload;
import io.stowline.blob.internal.base.OpenedContent;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/** {@link ReactiveBlobDownload} over an {@link OpenedContent}. */
record DefaultReactiveBlobDownload(OpenedContent content, long offset, Flux<ByteBuffer> stream)
        implements ReactiveBlobDownload {

    @Override
    public BlobInfo info() {
        return content.info();
    }

    @Override
    public long length() {
        return content.length();
    }

    @Override
    public void close() {
        content.close();
    }

    @Override
    public String toString() {
        return "ReactiveBlobDownload[" + info().name() + ", " + length() + " bytes from " + offset + " on]";
    }
}
