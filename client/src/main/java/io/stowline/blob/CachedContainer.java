package io.stowline.blob;

import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A cached view of a container that reads blobs without a request each time; made by {@link BlobContainer#cached}.
 *
 * <pre>{@code
 * CachedContainer lookups = photos.cached(Freshness.fresh(Duration.ofSeconds(30)));
 * CachedRead<byte[]> read = lookups.download("prices.json");
 * }</pre>
 *
 * <p>When the window of the {@link Freshness} is over, the read revalidates the cached copy by its ETag; the service sends nothing if that
 * still matches. Concurrent misses share one request. A write through this client, through any view, makes the next read query the service;
 * after a write whose response was lost every read does until it can no longer take effect. The whole of a blob, each of its ranges and its
 * facts are kept apart, in the one cache of this client: {@link io.stowline.Stowline.Builder#cache} bounds it and gives it a folder for
 * large blobs.
 *
 * <p>A blob that is not there is an empty result; a container that is not there is an error. All reads go to the primary. A blob with the
 * {@code Content-Encoding} {@code gzip} is kept as it is stored and expanded at each read, within the bounds of a download; {@link #asStored()}
 * reads it as it is. Thread-safe; {@link #reactive()} has the same methods without blocking. Failures are those of {@link BlobContainer}.
 */
public interface CachedContainer {

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face
     */
    ReactiveCachedContainer reactive();

    /**
     * Returns a view whose reads give blobs with the {@code Content-Encoding} {@code gzip} as they are stored; see
     * {@link DownloadSettings.Builder#asStored}. It shares the cached copies.
     *
     * @return the view
     */
    CachedContainer asStored();

    /**
     * Reads a small blob into memory, at most 64 MiB.
     *
     * @param name the blob's name
     * @return its content, and how the cache served it
     * @throws IllegalStateException if it is larger, as it is stored or expanded
     */
    default CachedRead<byte[]> download(String name) {
        return download(name, DownloadSettings.defaults().limit());
    }

    /**
     * Reads a blob into memory.
     *
     * @param name the blob's name
     * @param limit the most bytes that it may have
     * @return its content, and how the cache served it
     * @throws IllegalStateException if it is larger, as it is stored or expanded
     */
    CachedRead<byte[]> download(String name, int limit);

    /**
     * Reads a part of a blob into memory.
     *
     * @param name the blob's name
     * @param offset where the part begins
     * @param count how many bytes at the most, 1 to 64 MiB
     * @return the part, or as much of it as the blob has, and how the cache served it
     * @throws io.stowline.error.BadRequestException if the blob ends before the offset
     * @throws IllegalStateException if it has the {@code Content-Encoding} {@code gzip}: a part is of stored bytes, which {@link #asStored()} gives
     */
    CachedRead<byte[]> range(String name, long offset, int count);

    /**
     * Reads a blob into a file, which gets its name when it is complete. If there is no such blob, the file stays as it is.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the blob that was read, and how the cache served it
     * @throws java.io.UncheckedIOException if the file cannot be written
     */
    CachedRead<BlobInfo> downloadTo(String name, Path target);

    /**
     * Reads a blob into a stream, which is flushed and not closed. If there is no such blob, nothing is written.
     *
     * @param name the blob's name
     * @param target the stream
     * @return the blob that was read, and how the cache served it
     * @throws java.io.UncheckedIOException if the stream cannot be written
     */
    CachedRead<BlobInfo> downloadTo(String name, OutputStream target);

    /**
     * Opens a blob from the cache, whose facts are those of the bytes that are read; see {@link BlobContainer#openDownload(String)}. The length
     * of content that is expanded is -1.
     *
     * @param name the blob's name
     * @return its facts and its content, to be closed unless the content was read to its end, and how the cache served it
     */
    CachedRead<BlobDownload> openDownload(String name);

    /**
     * Opens a part of a blob from the cache; see {@link #range} and {@link #openDownload(String)}.
     *
     * @param name the blob's name
     * @param offset where the part begins
     * @param count how many bytes at the most, 1 to 64 MiB
     * @return the facts of the blob and the part, to be closed unless it was read to its end, and how the cache served it
     * @throws io.stowline.error.BadRequestException if the blob ends before the offset
     * @throws IllegalStateException if it has the {@code Content-Encoding} {@code gzip}; see {@link #asStored()}
     */
    CachedRead<BlobDownload> openDownload(String name, long offset, int count);

    /**
     * Reads the properties of a blob.
     *
     * @param name the blob's name
     * @return its facts, and how the cache served it
     */
    CachedRead<BlobInfo> info(String name);

    /**
     * Forgets a blob that is known to have been changed by another client.
     *
     * @param name the blob's name
     */
    void invalidate(String name);
}
