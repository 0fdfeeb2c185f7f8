package io.stowline.blob;

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
public interface BlobDownload extends AutoCloseable {

    /**
     * Returns the blob in the version that is read.
     *
     * @return its facts
     */
    BlobInfo info();

    /**
     * Returns where in the blob the bytes of the stream begin.
     *
     * @return 0, or the beginning of the range of the settings, which may lie behind the end of the blob
     */
    long offset();

    /**
     * Returns how many bytes the stream has.
     *
     * @return the size of the blob, or of the range as far as the blob has it; 0 if the range begins at its end or behind it; -1 of content
     *     that is expanded, see {@link DownloadSettings.Builder#asStored}
     */
    long length();

    /**
     * Returns the content, at the reader's pace; see {@link BlobContainer#open(String)}. Each call returns the same stream. Closing it
     * closes this.
     *
     * @return the stream
     */
    InputStream stream();

    /** Ends the download and frees what it holds. Closing it again does nothing. */
    @Override
    void close();
}
