package io.stowline.blob;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of {@link BlobReplicas}: the same methods. Nothing is sent before a subscription; results arrive on the callback threads.
 *
 * <p>Thread-safe.
 */
public interface ReactiveBlobReplicas {

    /**
     * Copies a blob from the source to all other containers; see {@link BlobReplicas#publish(String)}.
     *
     * @param name the blob's name
     * @return the end of each copy
     */
    default Mono<ReplicaReport> publish(String name) {
        return publish(name, settings -> settings);
    }

    /**
     * Copies a blob from the source to all other containers; see {@link BlobReplicas#publish(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings changes the default settings of each copy
     * @return the end of each copy
     */
    Mono<ReplicaReport> publish(String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Reads a small blob into memory; see {@link BlobReplicas#download(String)}.
     *
     * @param name the blob's name
     * @return its content
     */
    default Mono<byte[]> download(String name) {
        return download(name, settings -> settings);
    }

    /**
     * Reads a blob, or a part of it, into memory; see {@link BlobReplicas#download(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings changes the default settings
     * @return its content
     */
    Mono<byte[]> download(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Downloads a blob to a file; see {@link BlobReplicas#downloadTo(String, Path)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the copy that was read
     */
    default Mono<BlobInfo> downloadTo(String name, Path target) {
        return downloadTo(name, target, settings -> settings).map(DownloadSettings.FileDownload::blob);
    }

    /**
     * Downloads a blob, or a part of it, to a file; see {@link BlobReplicas#downloadTo(String, Path, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @param settings changes the default settings
     * @return the copy that was read, and what an earlier download had written
     */
    Mono<DownloadSettings.FileDownload> downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads a blob as it arrives; see {@link BlobReplicas#open(String)}.
     *
     * @param name the blob's name
     * @return its content in its order
     */
    default Flux<ByteBuffer> open(String name) {
        return open(name, settings -> settings);
    }

    /**
     * Reads a blob, or a part of it, as it arrives; see {@link BlobReplicas#open(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings changes the default settings
     * @return its content in its order
     */
    Flux<ByteBuffer> open(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens a blob; see {@link BlobReplicas#openDownload(String)}.
     *
     * @param name the blob's name
     * @return the copy and its content, to be closed unless the content is subscribed to
     */
    default Mono<ReactiveBlobDownload> openDownload(String name) {
        return openDownload(name, settings -> settings);
    }

    /**
     * Opens a blob, or a part of it; see {@link BlobReplicas#openDownload(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings changes the default settings
     * @return the copy and its content, to be closed unless the content is subscribed to
     */
    Mono<ReactiveBlobDownload> openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Removes the copies of a blob from all containers but the source; see {@link BlobReplicas#remove}.
     *
     * @param name the blob's name
     * @return the end of each copy
     */
    Mono<ReplicaReport> remove(String name);
}
