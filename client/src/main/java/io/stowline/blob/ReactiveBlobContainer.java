package io.stowline.blob;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.internal.append.AppendOperations;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.TypedMetadata;
import io.stowline.blob.internal.directory.DirectoryTransfer;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.blob.internal.operations.BatchOperations;
import io.stowline.blob.internal.operations.BlobListing;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.ContainerOperations;
import io.stowline.blob.internal.operations.RevisionOperations;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.blob.internal.upload.MediaTypes;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link BlobContainer}: the same methods, as {@code Mono} and {@code Flux}. Nothing is sent before a
 * subscription. Each subscription starts a separate operation; cancelling it sends nothing more. Results arrive on the callback threads,
 * not on an I/O thread unless {@code callbacks(Runnable::run)} was set. Files and streams of the caller are read and written on Reactor's
 * bounded elastic threads; a stream serves one subscription.
 *
 * <p>Thread-safe. Failures are those of {@link BlobContainer}.
 */
public final class ReactiveBlobContainer {

    private final BlobContext context;

    ReactiveBlobContainer(BlobContext context) {
        this.context = context;
    }

    /**
     * Returns the container's name.
     *
     * @return the name
     */
    public String name() {
        return context.name();
    }

    /**
     * Returns the Azure SDK's client of this container; see {@link BlobContainer#unwrap}.
     *
     * @return the client
     */
    public BlobContainerAsyncClient unwrap() {
        return context.applicationClient();
    }

    /**
     * Returns the same container with one more header on all its requests; see {@link BlobContainer#withHeader}.
     *
     * @param name its name
     * @param value its value
     * @return the narrowed container
     */
    public ReactiveBlobContainer withHeader(String name, String value) {
        return new ReactiveBlobContainer(context.header(name, value));
    }

    /**
     * Returns the same container with other retry settings; see {@link BlobContainer#withRetry}.
     *
     * @param settings changes the settings that this container has
     * @return the narrowed container
     */
    public ReactiveBlobContainer withRetry(UnaryOperator<RetrySettings.Builder> settings) {
        return new ReactiveBlobContainer(context.with(DirectoryTransfers.changed(settings, context.retry().toBuilder())
                .build()));
    }

    /**
     * Returns the same container with reads that may go to the secondary; see {@link BlobContainer#withReadPreference}.
     *
     * @param source where safe reads go
     * @return the narrowed container
     */
    public ReactiveBlobContainer withReadPreference(ReadFrom source) {
        return new ReactiveBlobContainer(context.with(source));
    }

    /**
     * Creates the container; see {@link BlobContainer#create()}.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        return context.delivered(new ContainerOperations(context).create());
    }

    /**
     * Creates the container unless it exists; see {@link BlobContainer#createIfMissing()}.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return context.delivered(new ContainerOperations(context).createIfMissing());
    }

    /**
     * Removes the container; see {@link BlobContainer#drop()}.
     *
     * @return the end of it
     */
    public Mono<Void> drop() {
        return context.delivered(new ContainerOperations(context).drop());
    }

    /**
     * Removes the container if it is there; see {@link BlobContainer#dropIfExists()}.
     *
     * @return whether it was there
     */
    public Mono<Boolean> dropIfExists() {
        return context.delivered(new ContainerOperations(context).dropIfExists());
    }

    /**
     * Returns whether the container is there; see {@link BlobContainer#exists()}.
     *
     * @return true if it is
     */
    public Mono<Boolean> exists() {
        return context.delivered(new ContainerOperations(context).exists());
    }

    /**
     * Returns the properties of the container; see {@link BlobContainer#info()}.
     *
     * @return version, metadata, and where they were read
     */
    public Mono<ContainerInfo> info() {
        return context.delivered(new ContainerOperations(context).info());
    }

    /**
     * Replaces the container's metadata; see {@link BlobContainer#setMetadata(Map)}.
     *
     * @param metadata all names and values
     * @return its result
     */
    public Mono<WriteResult> setMetadata(Map<String, String> metadata) {
        return context.delivered(new ContainerOperations(context).setMetadata(metadata));
    }

    /**
     * Uploads a file; see {@link BlobContainer#upload(Path, String)}.
     *
     * @param file the file
     * @param name the blob's name
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(Path file, String name) {
        return upload(file, name, settings -> settings);
    }

    /**
     * Uploads a file, read on a thread that may block; see {@link BlobContainer#upload(Path, String, UnaryOperator)}.
     *
     * @param file the file
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(Path file, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(Mono.defer(
                () -> uploading(name, settings, MediaTypes.settings(name, Objects.requireNonNull(file, "file")))
                        .fileLater(file)));
    }

    /**
     * Uploads bytes; see {@link BlobContainer#upload(byte[], String)}.
     *
     * @param content the bytes
     * @param name the blob's name
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(byte[] content, String name) {
        return upload(content, name, settings -> settings);
    }

    /**
     * Uploads bytes; see {@link BlobContainer#upload(byte[], String, UnaryOperator)}.
     *
     * @param content the bytes, which must not change until the end
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(
                Mono.defer(() -> uploading(name, settings).bytes(Objects.requireNonNull(content, "content"))));
    }

    /**
     * Uploads a stream; see {@link BlobContainer#upload(InputStream, String)}.
     *
     * @param content the stream
     * @param name the blob's name
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(InputStream content, String name) {
        return upload(content, name, settings -> settings);
    }

    /**
     * Uploads a stream, read on a thread that may block; see {@link BlobContainer#upload(InputStream, String, UnaryOperator)}.
     *
     * @param content the stream
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(
            InputStream content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(
                Mono.defer(() -> uploading(name, settings).streamLater(Objects.requireNonNull(content, "content"))));
    }

    /**
     * Uploads what a publisher gives; there must be no blob of this name yet.
     *
     * @param content the content, of any length
     * @param name the blob's name
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(Publisher<ByteBuffer> content, String name) {
        return upload(content, name, settings -> settings);
    }

    /**
     * Uploads what a publisher gives. A buffer is requested when the one before has been taken. Nothing is committed if the publisher fails.
     *
     * @param content the content, of any length
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     */
    public Mono<BlobWriteResult> upload(
            Publisher<ByteBuffer> content, String name, UnaryOperator<UploadSettings.Builder> settings) {
        return context.delivered(
                Mono.defer(() -> uploading(name, settings).publisher(Objects.requireNonNull(content, "content"))));
    }

    /**
     * Reads a small blob into memory, at most 64 MiB; see {@link BlobContainer#download(String)}.
     *
     * @param name the blob's name
     * @return its content
     */
    public Mono<byte[]> download(String name) {
        return download(name, BlobContainer.DOWNLOAD_LIMIT);
    }

    /**
     * Reads a blob into memory; see {@link BlobContainer#download(String, int)}.
     *
     * @param name the blob's name
     * @param limit the most bytes that it may have
     * @return its content
     */
    public Mono<byte[]> download(String name, int limit) {
        return download(name, with -> with.limit(limit));
    }

    /**
     * Reads a blob, or a part of it, into memory; see {@link BlobContainer#download(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults
     * @return its content
     */
    public Mono<byte[]> download(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() -> new Download(context).whole(name, downloading(settings))));
    }

    /**
     * Reads a blob into a file, written on a thread that may block; see {@link BlobContainer#downloadTo(String, Path)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the blob that was read
     */
    public Mono<BlobInfo> downloadTo(String name, Path target) {
        return context.delivered(
                Mono.defer(() -> new DownloadTo(context, name).fileLater(Objects.requireNonNull(target, "target"))));
    }

    /**
     * Reads a blob into a file; see {@link BlobContainer#downloadTo(String, Path, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @param settings sets what differs from the defaults
     * @return the blob that was read, and what was resumed
     */
    public Mono<DownloadSettings.FileDownload> downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() ->
                new DownloadTo(context, name, downloading(settings)).toFile(Objects.requireNonNull(target, "target"))));
    }

    /**
     * Reads a blob into a stream, written on a thread that may block; see {@link BlobContainer#downloadTo(String, OutputStream)}.
     *
     * @param name the blob's name
     * @param target the stream
     * @return the blob that was read
     */
    public Mono<BlobInfo> downloadTo(String name, OutputStream target) {
        return downloadTo(name, target, with -> with);
    }

    /**
     * Reads a blob, or a part of it, into a stream; see {@link BlobContainer#downloadTo(String, OutputStream, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param target the stream
     * @param settings sets what differs from the defaults
     * @return the blob that was read
     */
    public Mono<BlobInfo> downloadTo(
            String name, OutputStream target, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() -> new DownloadTo(context, name, downloading(settings))
                .streamLater(Objects.requireNonNull(target, "target"))));
    }

    /**
     * Reads a blob at the reader's pace; see {@link BlobContainer#open(String)}.
     *
     * @param name the blob's name
     * @return its content in its order
     */
    public Flux<ByteBuffer> open(String name) {
        return open(name, with -> with);
    }

    /**
     * Reads a blob, or a part of it, at the reader's pace; see {@link BlobContainer#open(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults: parallelism, size of ranges, range
     * @return its content in its order
     */
    public Flux<ByteBuffer> open(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Flux.defer(() -> new Download(context).open(name, downloading(settings))));
    }

    /**
     * Opens a blob whose facts are known before its first byte; see {@link BlobContainer#openDownload(String)}.
     *
     * @param name the blob's name
     * @return the facts and the content; close it unless the content is subscribed to
     */
    public Mono<ReactiveBlobDownload> openDownload(String name) {
        return openDownload(name, with -> with);
    }

    /**
     * Opens a blob, or a part of it, whose facts are known before its first byte; see
     * {@link BlobContainer#openDownload(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults: range, version, parallelism, size of ranges
     * @return the facts and the content; close it unless the content is subscribed to
     */
    public Mono<ReactiveBlobDownload> openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() -> {
            DownloadSettings known = downloading(settings);
            return new Download(context)
                    .opened(name, known)
                    .map(content -> new ReactiveBlobDownload(content, known.from(), context.delivered(content.once())));
        }));
    }

    private static DownloadSettings downloading(UnaryOperator<DownloadSettings.Builder> settings) {
        return DirectoryTransfers.changed(settings, DownloadSettings.builder()).build();
    }

    /**
     * Returns whether a blob is there; see {@link BlobContainer#exists(String)}.
     *
     * @param name the blob's name
     * @return true if it is
     */
    public Mono<Boolean> exists(String name) {
        return context.delivered(new BlobOperations(context).exists(name));
    }

    /**
     * Returns the properties of a blob; see {@link BlobContainer#info(String)}.
     *
     * @param name the blob's name
     * @return its facts
     */
    public Mono<BlobInfo> info(String name) {
        return context.delivered(new BlobOperations(context).info(name));
    }

    /**
     * Returns the properties of a blob, if there is one; see {@link BlobContainer#find(String)}.
     *
     * @param name the blob's name
     * @return its facts; empty if there is none
     */
    public Mono<BlobInfo> find(String name) {
        return context.delivered(new BlobOperations(context).find(name));
    }

    /**
     * Replaces a blob's metadata; see {@link BlobContainer#setMetadata(String, Map)}.
     *
     * @param name the blob's name
     * @param metadata all names and values
     * @return its result, with the new ETag
     */
    public Mono<WriteResult> setMetadata(String name, Map<String, String> metadata) {
        return context.delivered(new BlobOperations(context).setMetadata(name, metadata, null));
    }

    /**
     * Replaces the metadata of one version of a blob; see {@link BlobContainer#setMetadata(String, Map, String)}.
     *
     * @param name the blob's name
     * @param metadata all names and values
     * @param etag the version
     * @return its result, with the new ETag
     */
    public Mono<WriteResult> setMetadata(String name, Map<String, String> metadata, String etag) {
        return context.delivered(
                new BlobOperations(context).setMetadata(name, metadata, Objects.requireNonNull(etag, "etag")));
    }

    /**
     * Replaces a blob's metadata by the components of a record; see {@link BlobContainer#setMetadataOf(String, Object)}.
     *
     * @param name the blob's name
     * @param metadata the record
     * @return its result, with the new ETag
     */
    public Mono<WriteResult> setMetadataOf(String name, Object metadata) {
        Objects.requireNonNull(name, "name");
        return setMetadata(name, TypedMetadata.of(metadata));
    }

    /**
     * Replaces the metadata of one version by the components of a record; see {@link BlobContainer#setMetadataOf(String, Object, String)}.
     *
     * @param name the blob's name
     * @param metadata the record
     * @param etag the version
     * @return its result, with the new ETag
     */
    public Mono<WriteResult> setMetadataOf(String name, Object metadata, String etag) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(etag, "etag");
        return setMetadata(name, TypedMetadata.of(metadata), etag);
    }

    /**
     * Returns the tags of a blob; see {@link BlobContainer#tags}.
     *
     * @param name the blob's name
     * @return names and values
     */
    public Mono<Map<String, String>> tags(String name) {
        return context.delivered(new TagOperations(context).tags(name));
    }

    /**
     * Replaces all tags of a blob; see {@link BlobContainer#setTags(String, Map)}.
     *
     * @param name the blob's name
     * @param tags the new tags
     * @return its result
     */
    public Mono<WriteResult> setTags(String name, Map<String, String> tags) {
        return context.delivered(new TagOperations(context).setTags(name, tags, null));
    }

    /**
     * Replaces all tags of a blob if they match the condition; see {@link BlobContainer#setTags(String, Map, BlobTagFilter)}.
     *
     * @param name the blob's name
     * @param tags the new tags
     * @param condition what the tags must be before
     * @return its result
     */
    public Mono<WriteResult> setTags(String name, Map<String, String> tags, BlobTagFilter condition) {
        return context.delivered(new TagOperations(context)
                .setTags(
                        name,
                        tags,
                        Objects.requireNonNull(condition, "condition").expression()));
    }

    /**
     * Finds the blobs whose tags match the filter; see {@link BlobContainer#findByTags}.
     *
     * @param filter comparisons joined by {@link BlobTagFilter#and}
     * @return names, and the tags that the filter names
     */
    public Flux<BlobTagFilter.Match> findByTags(BlobTagFilter filter) {
        return context.delivered(new BlobListing(context).tagged(filter));
    }

    /**
     * Moves a blob to another access tier; see {@link BlobContainer#setTier}.
     *
     * @param name the blob's name
     * @param tier the tier
     * @return its result
     */
    public Mono<WriteResult> setTier(String name, AccessTier tier) {
        return context.delivered(new TagOperations(context).setTier(name, tier));
    }

    /**
     * Changes headers that a blob is served with; see {@link BlobContainer#setHeaders(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param change changes the present headers
     * @return its result, with the new ETag
     */
    public Mono<WriteResult> setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change) {
        return context.delivered(new BlobOperations(context).setHeaders(name, change));
    }

    /**
     * Removes a blob; see {@link BlobContainer#delete(String)}.
     *
     * @param name the blob's name
     * @return its result
     */
    public Mono<WriteResult> delete(String name) {
        return context.delivered(new BlobOperations(context).delete(name, null));
    }

    /**
     * Removes one version of a blob; see {@link BlobContainer#delete(String, String)}.
     *
     * @param name the blob's name
     * @param etag the version
     * @return its result
     */
    public Mono<WriteResult> delete(String name, String etag) {
        return context.delivered(new BlobOperations(context).delete(name, Objects.requireNonNull(etag, "etag")));
    }

    /**
     * Removes a blob if its tags match the condition; see {@link BlobContainer#delete(String, BlobTagFilter)}.
     *
     * @param name the blob's name
     * @param condition what its tags must be
     * @return its result
     */
    public Mono<WriteResult> delete(String name, BlobTagFilter condition) {
        return context.delivered(new BlobOperations(context)
                .deleteIf(name, Objects.requireNonNull(condition, "condition").expression()));
    }

    /**
     * Removes a blob if it is there; see {@link BlobContainer#deleteIfExists(String)}.
     *
     * @param name the blob's name
     * @return whether it was there
     */
    public Mono<Boolean> deleteIfExists(String name) {
        return context.delivered(new BlobOperations(context).deleteIfExists(name));
    }

    /**
     * Returns all blobs; see {@link BlobContainer#stream()}.
     *
     * @return their facts in the order of their names
     */
    public Flux<BlobInfo> stream() {
        return stream("");
    }

    /**
     * Returns the blobs whose names begin with the prefix; see {@link BlobContainer#stream(String)}.
     *
     * @param prefix the beginning
     * @return their facts in the order of their names
     */
    public Flux<BlobInfo> stream(String prefix) {
        return context.delivered(new BlobListing(context).flat(prefix));
    }

    /**
     * Lists one level of a hierarchy that the names make; see {@link BlobContainer#entries(String, String)}.
     *
     * @param prefix the beginning, may be empty
     * @param delimiter what separates levels
     * @return the level in the order of names
     */
    public Flux<BlobTree.Entry> entries(String prefix, String delimiter) {
        return context.delivered(new BlobListing(context).level(prefix, delimiter));
    }

    /**
     * Walks the tree of the blobs below a beginning; see {@link BlobTree#walk(Predicate)}.
     *
     * @param prefix what the names begin with, as a rule with the delimiter at its end; empty for the whole container
     * @param delimiter what separates levels
     * @param into whether to walk into a folder
     * @return blobs and folders, depth first, levels in the order of names
     */
    public Flux<BlobTree.Entry> walk(String prefix, String delimiter, Predicate<BlobTree.Entry> into) {
        return context.delivered(new BlobTree(context, prefix, delimiter).walked(Objects.requireNonNull(into, "into")));
    }

    /**
     * Deletes many blobs; see {@link BlobContainer#deleteAll}.
     *
     * @param names the blobs
     * @return the end of each, in the order of the names
     */
    public Mono<List<TransferReport.Item>> deleteAll(Collection<String> names) {
        return context.delivered(
                BatchOperations.deletion(context, "deleteAll", false).all(names));
    }

    /**
     * Deletes many blobs with all their snapshots; see {@link BlobContainer#deleteAllWithSnapshots}.
     *
     * @param names the blobs
     * @return the end of each, in the order of the names
     */
    public Mono<List<TransferReport.Item>> deleteAllWithSnapshots(Collection<String> names) {
        return context.delivered(
                BatchOperations.deletion(context, "deleteAll", true).all(names));
    }

    /**
     * Moves many blobs to another access tier; see {@link BlobContainer#setTierOfAll}.
     *
     * @param names the blobs
     * @param tier the tier
     * @return the end of each, in the order of the names
     */
    public Mono<List<TransferReport.Item>> setTierOfAll(Collection<String> names, AccessTier tier) {
        Objects.requireNonNull(tier, "tier");
        return context.delivered(
                BatchOperations.move(context, "setTierOfAll", tier).all(names));
    }

    /**
     * Keeps the present state of a blob; see {@link BlobContainer#snapshot}.
     *
     * @param name the blob's name
     * @return the snapshot
     */
    public Mono<ReactiveBlobRevision> snapshot(String name) {
        return context.delivered(
                new RevisionOperations(context).snapshot(name).map(id -> BlobRevision.snapshot(context, name, id)
                        .reactive()));
    }

    /**
     * Returns a snapshot by its id; see {@link BlobContainer#snapshotOf}.
     *
     * @param name the blob's name
     * @param id its id
     * @return the snapshot, which need not exist
     */
    public ReactiveBlobRevision snapshotOf(String name, String id) {
        return BlobRevision.snapshot(context, name, id).reactive();
    }

    /**
     * Returns a version by its id; see {@link BlobContainer#versionOf}.
     *
     * @param name the blob's name
     * @param id its id
     * @return the version, which need not exist
     */
    public ReactiveBlobRevision versionOf(String name, String id) {
        return BlobRevision.version(context, name, id).reactive();
    }

    /**
     * Returns the snapshots and versions of a blob; see {@link BlobContainer#revisions}.
     *
     * @param name the blob's name
     * @return the revisions, the oldest first
     */
    public Flux<ReactiveBlobRevision> revisions(String name) {
        return context.delivered(new RevisionOperations(context).list(name).map(item -> BlobRevision.of(context, item)
                .reactive()));
    }

    /**
     * Removes a blob and all its snapshots; see {@link BlobContainer#deleteWithSnapshots}.
     *
     * @param name the blob's name
     * @return its result
     */
    public Mono<WriteResult> deleteWithSnapshots(String name) {
        return context.delivered(new RevisionOperations(context).deleteWithSnapshots(name));
    }

    /**
     * Removes all snapshots of a blob; see {@link BlobContainer#deleteSnapshots}.
     *
     * @param name the blob's name
     * @return its result
     */
    public Mono<WriteResult> deleteSnapshots(String name) {
        return context.delivered(new RevisionOperations(context).deleteSnapshots(name));
    }

    /**
     * Brings back what was deleted; see {@link BlobContainer#undelete}.
     *
     * @param name the blob's name
     * @return the end of it
     */
    public Mono<Void> undelete(String name) {
        return context.delivered(new RevisionOperations(context).undelete(name));
    }

    /**
     * Uploads a folder; see {@link BlobContainer#uploadDirectory}. Each subscription starts a transfer, which
     * {@link Transfer#cancel} ends early: {@code .flatMap(transfer -> transfer.whenComplete().doOnCancel(transfer::cancel))}.
     *
     * @param directory the folder
     * @param prefix what the names of the blobs begin with, such as {@code 2026/}; empty for none
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    public Mono<Transfer> uploadDirectory(
            Path directory, String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(() -> transfers().upload(directory, prefix, settings));
    }

    /**
     * Downloads the blobs below a prefix; see {@link BlobContainer#downloadDirectory}. Each subscription starts a transfer.
     *
     * @param prefix what the names of the blobs begin with; empty for the whole container
     * @param directory the folder, made if it is missing
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    public Mono<Transfer> downloadDirectory(
            String prefix, Path directory, UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(() -> transfers().download(prefix, directory, settings));
    }

    /**
     * Copies the blobs below a prefix; see {@link BlobContainer#copyDirectory}. Each subscription starts a transfer.
     *
     * @param prefix what the names of the blobs begin with; empty for the whole container
     * @param target the container of the copies, of this account or another one
     * @param newPrefix what the names of the copies begin with
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    public Mono<Transfer> copyDirectory(
            String prefix,
            ReactiveBlobContainer target,
            String newPrefix,
            UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(
                () -> transfers().copy(prefix, Objects.requireNonNull(target, "target").context, newPrefix, settings));
    }

    /**
     * Deletes the blobs below a prefix; see {@link BlobContainer#deleteDirectory}. Each subscription starts a transfer.
     *
     * @param prefix what the names of the blobs begin with
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    public Mono<Transfer> deleteDirectory(String prefix, UnaryOperator<DirectorySettings.Builder> settings) {
        return transfer(() -> transfers().delete(prefix, settings));
    }

    private Mono<Transfer> transfer(Supplier<DirectoryTransfer> transfer) {
        return context.delivered(Mono.fromSupplier(() -> Transfer.start(transfer.get(), context)));
    }

    private DirectoryTransfers transfers() {
        return new DirectoryTransfers(context);
    }

    /**
     * Returns a blob that is written at its end only; see {@link BlobContainer#appendBlob}.
     *
     * @param name the blob's name
     * @return the blob, which need not exist yet
     */
    public ReactiveAppendBlob appendBlob(String name) {
        return new ReactiveAppendBlob(context, new AppendOperations(context, name));
    }

    /**
     * Returns a cached view that reads this container without a request each time; see {@link BlobContainer#cached}.
     *
     * @param freshness for how long what was read counts as the present state
     * @return the cached reads
     */
    public ReactiveCachedContainer cached(Freshness freshness) {
        return new ReactiveCachedContainer(context, freshness);
    }

    private Upload uploading(String name, UnaryOperator<UploadSettings.Builder> settings) {
        return uploading(name, settings, UploadSettings.builder());
    }

    private Upload uploading(
            String name, UnaryOperator<UploadSettings.Builder> settings, UploadSettings.Builder defaults) {
        return new Upload(
                context, name, DirectoryTransfers.changed(settings, defaults).build());
    }

    @Override
    public String toString() {
        return "ReactiveBlobContainer[" + name() + "]";
    }
}
