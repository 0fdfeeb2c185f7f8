package io.stowline.blob;

import java.io.IOException;
import java.io.InputStream;

/**
 * The download of a blob, or of a part of it, whose facts are known before its first byte: they and the bytes are of one version. Made by
 * {@link BlobContainer#openDownload(String)} and {@link CachedContainer#openDownload(String)}.
 *
 * <pre>{@code
 * try (BlobDownload report = photos.openDownload("report.pdf")) {
 *     log.info("{} bytes of {}", report.length(), report.info().etag());
 *     report.stream().transferTo(OutputStream.nullOutputStream());
 * }
 * }</pre>
 *
 * <p>For one thread at a time; close it unless the stream was read to its end.
 */
public final class BlobDownload implements AutoCloseable {

    private final BlobInfo info;
    private final long offset;
    private final long length;
    private final InputStream stream;

    BlobDownload(BlobInfo info, long offset, long length, InputStream stream) {
        this.info = info;
        this.offset = offset;
        this.length = length;
        this.stream = stream;
    }

    /**
     * Returns the blob in the version that is read.
     *
     * @return its facts
     */
    public BlobInfo info() {
        return info;
    }

    /**
     * Returns where in the blob the bytes of the stream begin.
     *
     * @return 0, or the beginning of the range of the settings, which may lie behind the end of the blob
     */
    public long offset() {
        return offset;
    }

    /**
     * Returns how many bytes the stream has.
     *
     * @return the size of the blob, or of the range as far as the blob has it; 0 if the range begins at its end or behind it
     */
    public long length() {
        return length;
    }

    /**
     * Returns the content, at the reader's pace; see {@link BlobContainer#open(String)}. Each call returns the same stream. Closing it
     * closes this.
     *
     * @return the stream
     */
    public InputStream stream() {
        return stream;
    }

    /** Ends the download and frees what it holds. Closing it again does nothing. */
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
