package io.stowline.blob;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.blob.internal.operations.TagOperations;
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
public final class ReactiveBlobRevision {

    private final BlobRevision revision;
    private final BlobContext context;

    ReactiveBlobRevision(BlobRevision revision, BlobContext context) {
        this.revision = revision;
        this.context = context;
    }

    /**
     * Returns the name of the blob; see {@link BlobRevision#name}.
     *
     * @return its name in the container
     */
    public String name() {
        return revision.name();
    }

    /**
     * Returns the id that the service gave; see {@link BlobRevision#id}.
     *
     * @return the id
     */
    public String id() {
        return revision.id();
    }

    /**
     * Returns whether it is a snapshot; see {@link BlobRevision#isSnapshot}.
     *
     * @return false of a version
     */
    public boolean isSnapshot() {
        return revision.isSnapshot();
    }

    /**
     * Returns the facts that a listing gave; see {@link BlobRevision#info}.
     *
     * @return the facts; empty of a revision that no listing gave
     */
    public Optional<BlobInfo> listed() {
        return revision.listed();
    }

    /**
     * Returns whether a listing gave it as the present state; see {@link BlobRevision#current}.
     *
     * @return true if it is current
     */
    public boolean current() {
        return revision.current();
    }

    /**
     * Returns whether a listing gave it as deleted; see {@link BlobRevision#deleted}.
     *
     * @return true if it is deleted
     */
    public boolean deleted() {
        return revision.deleted();
    }

    private ReactiveBlobContainer blobs() {
        return new ReactiveBlobContainer(context);
    }

    /**
     * Returns the properties; see {@link BlobRevision#info}.
     *
     * @return its facts
     */
    public Mono<BlobInfo> info() {
        return blobs().info(revision.name());
    }

    /**
     * Returns the tags; see {@link BlobRevision#tags}.
     *
     * @return names and values
     */
    public Mono<Map<String, String>> tags() {
        return context.delivered(new TagOperations(context).tags(revision.name()));
    }

    /**
     * Reads the content into memory; see {@link BlobRevision#download()}.
     *
     * @return the content
     */
    public Mono<byte[]> download() {
        return blobs().download(revision.name());
    }

    /**
     * Reads the content, or a part of it, into memory; see {@link BlobRevision#download(UnaryOperator)}.
     *
     * @param settings sets what differs from the defaults
     * @return the content
     */
    public Mono<byte[]> download(UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().download(revision.name(), settings);
    }

    /**
     * Reads the content into a file; see {@link BlobRevision#downloadTo(Path)}.
     *
     * @param target the file, replaced if it is there
     * @return the blob that was read
     */
    public Mono<BlobInfo> downloadTo(Path target) {
        return blobs().downloadTo(revision.name(), target);
    }

    /**
     * Reads the content into a file; see {@link BlobRevision#downloadTo(Path, UnaryOperator)}.
     *
     * @param target the file, replaced if it is there
     * @param settings sets what differs from the defaults
     * @return the blob that was read, and what was resumed
     */
    public Mono<DownloadSettings.FileDownload> downloadTo(
            Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return blobs().downloadTo(revision.name(), target, settings);
    }

    /**
     * Reads the content into a stream; see {@link BlobRevision#downloadTo(OutputStream)}.
     *
     * @param target the stream, flushed and not closed
     * @return the blob that was read
     */
    public Mono<BlobInfo> downloadTo(OutputStream target) {
        return blobs().downloadTo(revision.name(), target);
    }

    /**
     * Reads the content at the reader's pace; see {@link BlobRevision#open}.
     *
     * @return its content in its order
     */
    public Flux<ByteBuffer> open() {
        return blobs().open(revision.name());
    }

    /**
     * Makes it the present state of its blob; see {@link BlobRevision#promote}.
     *
     * @return the end of it
     */
    public Mono<Void> promote() {
        return context.delivered(new RevisionOperations(context).promote(revision.name()));
    }

    /**
     * Removes it; see {@link BlobRevision#delete}.
     *
     * @return its result
     */
    public Mono<WriteResult> delete() {
        return context.delivered(new RevisionOperations(context).delete(revision.name()));
    }

    @Override
    public String toString() {
        return "Reactive" + revision;
    }
}
