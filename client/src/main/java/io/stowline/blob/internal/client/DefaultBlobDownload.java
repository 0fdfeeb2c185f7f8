package io.stowline.blob.internal.client;

import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobInfo;
import java.io.IOException;
import java.io.InputStream;

/** {@link BlobDownload} over an opened stream. */
record DefaultBlobDownload(BlobInfo info, long offset, long length, InputStream stream) implements BlobDownload {

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new IllegalStateException("a stream of a blob has nothing to write when it is closed", e);
        }
    }

    @Override
    public String toString() {
        return "BlobDownload[" + info.name() + ", " + length + " bytes from " + offset + " on]";
    }
}
