package io.stowline.spring.boot.resource;

import io.stowline.blob.BlobWriter;
import java.io.IOException;
import java.io.OutputStream;

/** A stream whose close publishes what was written to it, as Spring expects; after a failed write it publishes nothing. For one thread at a time. */
final class PublishingStream extends OutputStream {

    private final BlobWriter writer;
    private final Runnable published;
    private boolean failed;
    private boolean closed;

    PublishingStream(BlobWriter writer, Runnable published) {
        this.writer = writer;
        this.published = published;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] content, int offset, int length) throws IOException {
        boolean written = false;
        try {
            writer.write(content, offset, length);
            written = true;
        } finally {
            failed |= !written;
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (writer) {
            if (!failed) {
                writer.commit();
                published.run();
            }
        }
    }
}
