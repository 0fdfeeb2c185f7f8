package io.stowline.blob;

import io.stowline.caching.CachedRead;
import java.io.OutputStream;
import java.nio.file.Path;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link CachedContainer}: the same methods. Nothing is sent before a subscription; results arrive on the
 * callback threads, not on an I/O thread unless {@code callbacks(Runnable::run)} was set. Files and streams of the caller are written on
 * threads of the library that serve nothing else.
 *
 * <p>Thread-safe.
 */
public interface ReactiveCachedContainer {

    /**
     * Returns a view whose reads give compressed blobs as they are stored; see {@link CachedContainer#asStored}.
     *
     * @return the view
     */
    ReactiveCachedContainer asStored();

    /**
     * Reads a small blob into memory, at most 64 MiB; see {@link CachedContainer#download(String)}.
     *
     * @param name the blob's name
     * @return its content, and how the cache served it
     */
    default Mono<CachedRead<byte[]>> download(String name) {
        return download(name, DownloadSettings.defaults().limit());
    }

    /**
     * Reads a blob into memory; see {@link CachedContainer#download(String, int)}.
     *
     * @param name the blob's name
     * @param limit the most bytes that it may have
     * @return its content, and how the cache served it
     */
    Mono<CachedRead<byte[]>> download(String name, int limit);

    /**
     * Reads a part of a blob into memory; see {@link CachedContainer#range}.
     *
     * @param name the blob's name
     * @param offset where the part begins
     * @param count how many bytes at the most
     * @return the part, and how the cache served it
     */
    Mono<CachedRead<byte[]>> range(String name, long offset, int count);

    /**
     * Opens a blob from the cache; see {@link CachedContainer#openDownload(String)}.
     *
     * @param name the blob's name
     * @return its facts and its content, to be closed unless the content is subscribed to, and how the cache served it
     */
    Mono<CachedRead<ReactiveBlobDownload>> openDownload(String name);

    /**
     * Opens a part of a blob from the cache; see {@link CachedContainer#openDownload(String, long, int)}.
     *
     * @param name the blob's name
     * @param offset where the part begins
     * @param count how many bytes at the most
     * @return the facts of the blob and the part, to be closed unless it is subscribed to, and how the cache served it
     */
    Mono<CachedRead<ReactiveBlobDownload>> openDownload(String name, long offset, int count);

    /**
     * Reads a blob into a file; see {@link CachedContainer#downloadTo(String, Path)}.
     *
     * @param name the blob's name
     * @param target the file
     * @return the blob that was read, and how the cache served it
     */
    Mono<CachedRead<BlobInfo>> downloadTo(String name, Path target);

    /**
     * Reads a blob into a stream; see {@link CachedContainer#downloadTo(String, OutputStream)}.
     *
     * @param name the blob's name
     * @param target the stream
     * @return the blob that was read, and how the cache served it
     */
    Mono<CachedRead<BlobInfo>> downloadTo(String name, OutputStream target);

    /**
     * Reads the properties of a blob; see {@link CachedContainer#info}.
     *
     * @param name the blob's name
     * @return its facts, and how the cache served it
     */
    Mono<CachedRead<BlobInfo>> info(String name);

    /**
     * Forgets a blob; see {@link CachedContainer#invalidate}.
     *
     * @param name the blob's name
     */
    void invalidate(String name);
}
