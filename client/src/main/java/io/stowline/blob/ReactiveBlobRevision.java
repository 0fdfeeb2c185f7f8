package io.stowline.blob;

import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.outcome.WriteResult;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A state of a blob that was kept, without blocking; see {@link BlobRevision}. Nothing is sent before a subscription.
 *
 * <p>Immutable and safe to share between threads.
 */
public interface ReactiveBlobRevision {

    /**
     * Returns the name of the blob; see {@link BlobRevision#name}.
     *
     * @return its name in the container
     */
    String name();

    /**
     * Returns the id that the service gave; see {@link BlobRevision#id}.
     *
     * @return the id
     */
    String id();

    /**
     * Returns whether it is a snapshot; see {@link BlobRevision#isSnapshot}.
     *
     * @return false of a version
     */
    boolean isSnapshot();

    /**
     * Begins a signature that opens this state of the blob for others; see {@link BlobRevision#sas}.
     *
     * @return its builder
     */
    BlobSasBuilder<Mono<SharedAccessSignature>> sas();

    /**
     * Returns the facts that a listing gave; see {@link BlobRevision#info}.
     *
     * @return the facts; empty of a revision that no listing gave
     */
    Optional<BlobInfo> listed();

    /**
     * Returns whether a listing gave it as the present state; see {@link BlobRevision#current}.
     *
     * @return true if it is current
     */
    boolean current();

    /**
     * Returns whether a listing gave it as deleted; see {@link BlobRevision#deleted}.
     *
     * @return true if it is deleted
     */
    boolean deleted();

    /**
     * Returns the properties; see {@link BlobRevision#info}.
     *
     * @return its facts
     */
    Mono<BlobInfo> info();

    /**
     * Returns the tags; see {@link BlobRevision#tags}.
     *
     * @return names and values
     */
    Mono<Map<String, String>> tags();

    /**
     * Reads the content into memory; see {@link BlobRevision#download()}.
     *
     * @return the content
     */
    default Mono<byte[]> download() {
        return download(with -> with);
    }

    /**
     * Reads the content, or a part of it, into memory; see {@link BlobRevision#download(UnaryOperator)}.
     *
     * @param settings sets what differs from the defaults
     * @return the content
     */
    Mono<byte[]> download(UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads the content into a file; see {@link BlobRevision#downloadTo(Path)}.
     *
     * @param target the file, replaced if it is there
     * @return the blob that was read
     */
    default Mono<BlobInfo> downloadTo(Path target) {
        return downloadTo(target, with -> with).map(DownloadSettings.FileDownload::blob);
    }

    /**
     * Reads the content into a file; see {@link BlobRevision#downloadTo(Path, UnaryOperator)}.
     *
     * @param target the file, replaced if it is there
     * @param settings sets what differs from the defaults
     * @return the blob that was read, and what was resumed
     */
    Mono<DownloadSettings.FileDownload> downloadTo(Path target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads the content into a stream; see {@link BlobRevision#downloadTo(OutputStream)}.
     *
     * @param target the stream, flushed and not closed
     * @return the blob that was read
     */
    Mono<BlobInfo> downloadTo(OutputStream target);

    /**
     * Reads the content at the reader's pace; see {@link BlobRevision#open}.
     *
     * @return its content in its order
     */
    Flux<ByteBuffer> open();

    /**
     * Makes it the present state of its blob; see {@link BlobRevision#promote}.
     *
     * @return the end of it
     */
    Mono<Void> promote();

    /**
     * Removes it; see {@link BlobRevision#delete}.
     *
     * @return its result
     */
    Mono<WriteResult> delete();
}
