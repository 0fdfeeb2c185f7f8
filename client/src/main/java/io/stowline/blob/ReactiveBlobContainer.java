package io.stowline.blob;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.AccessTier;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.internal.rule.TypedMetadata;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link BlobContainer}: the same methods, as {@code Mono} and {@code Flux}. Nothing is sent before a
 * subscription. Each subscription starts a separate operation; cancelling it sends nothing more. Results arrive on the callback threads,
 * not on an I/O thread unless {@code callbacks(Runnable::run)} was set. Files and streams of the caller are read and written on threads of
 * the library that serve nothing else; a stream serves one subscription.
 *
 * <p>Thread-safe. Failures are those of {@link BlobContainer}.
 */
public interface ReactiveBlobContainer {

    /**
     * Returns the container's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the Azure SDK's client of this container; see {@link BlobContainer#unwrap}.
     *
     * @return the client
     */
    BlobContainerAsyncClient unwrap();

    /**
     * Returns the same container with one more header on all its requests; see {@link BlobContainer#withHeader}.
     *
     * @param name its name
     * @param value its value
     * @return the narrowed container
     */
    ReactiveBlobContainer withHeader(String name, String value);

    /**
     * Returns the same container with other retry settings; see {@link BlobContainer#withRetry}.
     *
     * @param settings changes the settings that this container has
     * @return the narrowed container
     */
    ReactiveBlobContainer withRetry(UnaryOperator<RetrySettings.Builder> settings);

    /**
     * Returns the same container with reads that may go to the secondary; see {@link BlobContainer#withReadPreference}.
     *
     * @param source where safe reads go
     * @return the narrowed container
     */
    ReactiveBlobContainer withReadPreference(ReadFrom source);

    /**
     * Returns the same container with a lease that its writes name; see {@link BlobContainer#withLease}.
     *
     * @param lease a lease of this container or of a blob in it
     * @return the narrowed container
     */
    ReactiveBlobContainer withLease(ReactiveBlobLease lease);

    /**
     * Acquires a lease of a blob; see {@link BlobContainer#lease(String, Duration)}.
     *
     * @param name the blob's name
     * @param duration 15 s to 60 s, or {@link BlobLease#INFINITE}
     * @return the lease, to be closed
     */
    Mono<ReactiveBlobLease> lease(String name, Duration duration);

    /**
     * Acquires a lease of this container; see {@link BlobContainer#lease(Duration)}.
     *
     * @param duration 15 s to 60 s, or {@link BlobLease#INFINITE}
     * @return the lease, to be closed
     */
    Mono<ReactiveBlobLease> lease(Duration duration);

    /**
     * Breaks the lease of a blob; see {@link BlobContainer#breakLease(String, Duration)}.
     *
     * @param name the blob's name
     * @param period the time after which others may get it, zero to 60 s
     * @return the time until others can get it
     */
    Mono<Duration> breakLease(String name, Duration period);

    /**
     * Breaks the lease of this container; see {@link BlobContainer#breakLease(Duration)}.
     *
     * @param period the time after which others may get it, zero to 60 s
     * @return the time until others can get it
     */
    Mono<Duration> breakLease(Duration period);

    /**
     * Returns the election of a leader by a lease of 30 s; see {@link BlobContainer#leader(String)}.
     *
     * @param name the name of the blob that stands for the election
     * @return the election; nothing is sent yet
     */
    default ReactiveLeaderElection leader(String name) {
        return leader(name, Duration.ofSeconds(30));
    }

    /**
     * Returns the election of a leader; see {@link BlobContainer#leader(String, Duration)}.
     *
     * @param name the name of the blob that stands for the election
     * @param lease the lease of the leader, 15 s to 60 s
     * @return the election; nothing is sent yet
     */
    ReactiveLeaderElection leader(String name, Duration lease);

    /**
     * Creates the container; see {@link BlobContainer#create()}.
     *
     * @return the end of it
     */
    Mono<Void> create();

    /**
     * Creates the container unless it exists; see {@link BlobContainer#createIfMissing()}.
     *
     * @return whether it was made
     */
    Mono<Boolean> createIfMissing();

    /**
     * Removes the container; see {@link BlobContainer#drop()}.
     *
     * @return the end of it
     */
    Mono<Void> drop();

    /**
     * Removes the container if it is there; see {@link BlobContainer#dropIfExists()}.
     *
     * @return whether it was there
     */
    Mono<Boolean> dropIfExists();

    /**
     * Begins a signature that opens one blob for others; see {@link BlobContainer#sas(String)}.
     *
     * @param name the blob's name; it need not exist
     * @return its builder
     * @throws IllegalArgumentException if the name is not allowed
     */
    BlobSasBuilder<Mono<SharedAccessSignature>> sas(String name);

    /**
     * Begins a signature that opens all blobs of this container for others; see {@link BlobContainer#sas()}.
     *
     * @return its builder
     */
    ContainerSasBuilder<Mono<SharedAccessSignature>> sas();

    /**
     * Returns the stored access policies of this container; see {@link BlobContainer#policies()}.
     *
     * @return its policies; making them costs nothing
     */
    ReactiveAccessPolicies<ContainerSasBuilder<?>> policies();

    /**
     * Returns whether the container is there; see {@link BlobContainer#exists()}.
     *
     * @return true if it is
     */
    Mono<Boolean> exists();

    /**
     * Returns the properties of the container; see {@link BlobContainer#info()}.
     *
     * @return version, metadata, and where they were read
     */
    Mono<ContainerInfo> info();

    /**
     * Replaces the container's metadata; see {@link BlobContainer#setMetadata(Map)}.
     *
     * @param metadata all names and values
     * @return its result
     */
    Mono<WriteResult> setMetadata(Map<String, String> metadata);

    /**
     * Uploads a file; see {@link BlobContainer#upload(Path, String)}.
     *
     * @param file the file
     * @param name the blob's name
     * @return what was written
     */
    default Mono<BlobWriteResult> upload(Path file, String name) {
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
    Mono<BlobWriteResult> upload(Path file, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Uploads bytes; see {@link BlobContainer#upload(byte[], String)}.
     *
     * @param content the bytes
     * @param name the blob's name
     * @return what was written
     */
    default Mono<BlobWriteResult> upload(byte[] content, String name) {
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
    Mono<BlobWriteResult> upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Uploads a stream; see {@link BlobContainer#upload(InputStream, String)}.
     *
     * @param content the stream
     * @param name the blob's name
     * @return what was written
     */
    default Mono<BlobWriteResult> upload(InputStream content, String name) {
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
    Mono<BlobWriteResult> upload(InputStream content, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Uploads what a publisher gives; there must be no blob of this name yet.
     *
     * @param content the content, of any length
     * @param name the blob's name
     * @return what was written
     */
    default Mono<BlobWriteResult> upload(Publisher<ByteBuffer> content, String name) {
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
    Mono<BlobWriteResult> upload(
            Publisher<ByteBuffer> content, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Reads a small blob into memory, at most 64 MiB; see {@link BlobContainer#download(String)}.
     *
     * @param name the blob's name
     * @return its content
     */
    default Mono<byte[]> download(String name) {
        return download(name, with -> with);
    }

    /**
     * Reads a blob into memory; see {@link BlobContainer#download(String, int)}.
     *
     * @param name the blob's name
     * @param limit the most bytes that it may have
     * @return its content
     */
    default Mono<byte[]> download(String name, int limit) {
        return download(name, with -> with.limit(limit));
    }

    /**
     * Reads a blob, or a part of it, into memory; see {@link BlobContainer#download(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults
     * @return its content
     */
    Mono<byte[]> download(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads a blob into a file, written on a thread that may block; see {@link BlobContainer#downloadTo(String, Path)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the blob that was read
     */
    default Mono<BlobInfo> downloadTo(String name, Path target) {
        return downloadTo(name, target, with -> with).map(DownloadSettings.FileDownload::blob);
    }

    /**
     * Reads a blob into a file; see {@link BlobContainer#downloadTo(String, Path, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @param settings sets what differs from the defaults
     * @return the blob that was read, and what was resumed
     */
    Mono<DownloadSettings.FileDownload> downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads a blob into a stream, written on a thread that may block; see {@link BlobContainer#downloadTo(String, OutputStream)}.
     *
     * @param name the blob's name
     * @param target the stream
     * @return the blob that was read
     */
    default Mono<BlobInfo> downloadTo(String name, OutputStream target) {
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
    Mono<BlobInfo> downloadTo(String name, OutputStream target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads a blob at the reader's pace; see {@link BlobContainer#open(String)}.
     *
     * @param name the blob's name
     * @return its content in its order
     */
    default Flux<ByteBuffer> open(String name) {
        return open(name, with -> with);
    }

    /**
     * Reads a blob, or a part of it, at the reader's pace; see {@link BlobContainer#open(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults: parallelism, size of ranges, range
     * @return its content in its order
     */
    Flux<ByteBuffer> open(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens a blob whose facts are known before its first byte; see {@link BlobContainer#openDownload(String)}.
     *
     * @param name the blob's name
     * @return the facts and the content; close it unless the content is subscribed to
     */
    default Mono<ReactiveBlobDownload> openDownload(String name) {
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
    Mono<ReactiveBlobDownload> openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Returns whether a blob is there; see {@link BlobContainer#exists(String)}.
     *
     * @param name the blob's name
     * @return true if it is
     */
    Mono<Boolean> exists(String name);

    /**
     * Returns the properties of a blob; see {@link BlobContainer#info(String)}.
     *
     * @param name the blob's name
     * @return its facts
     */
    Mono<BlobInfo> info(String name);

    /**
     * Returns the properties of a blob, if there is one; see {@link BlobContainer#find(String)}.
     *
     * @param name the blob's name
     * @return its facts; empty if there is none
     */
    Mono<BlobInfo> find(String name);

    /**
     * Replaces a blob's metadata; see {@link BlobContainer#setMetadata(String, Map)}.
     *
     * @param name the blob's name
     * @param metadata all names and values
     * @return its result, with the new ETag
     */
    Mono<WriteResult> setMetadata(String name, Map<String, String> metadata);

    /**
     * Replaces the metadata of one version of a blob; see {@link BlobContainer#setMetadata(String, Map, String)}.
     *
     * @param name the blob's name
     * @param metadata all names and values
     * @param etag the version
     * @return its result, with the new ETag
     */
    Mono<WriteResult> setMetadata(String name, Map<String, String> metadata, String etag);

    /**
     * Replaces a blob's metadata by the components of a record; see {@link BlobContainer#setMetadataOf(String, Object)}.
     *
     * @param name the blob's name
     * @param metadata the record
     * @return its result, with the new ETag
     */
    default Mono<WriteResult> setMetadataOf(String name, Object metadata) {
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
    default Mono<WriteResult> setMetadataOf(String name, Object metadata, String etag) {
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
    Mono<Map<String, String>> tags(String name);

    /**
     * Replaces all tags of a blob; see {@link BlobContainer#setTags(String, Map)}.
     *
     * @param name the blob's name
     * @param tags the new tags
     * @return its result
     */
    Mono<WriteResult> setTags(String name, Map<String, String> tags);

    /**
     * Replaces all tags of a blob if they match the condition; see {@link BlobContainer#setTags(String, Map, BlobTagFilter)}.
     *
     * @param name the blob's name
     * @param tags the new tags
     * @param condition what the tags must be before
     * @return its result
     */
    Mono<WriteResult> setTags(String name, Map<String, String> tags, BlobTagFilter condition);

    /**
     * Finds the blobs whose tags match the filter; see {@link BlobContainer#findByTags}.
     *
     * @param filter comparisons joined by {@link BlobTagFilter#and}
     * @return names, and the tags that the filter names
     */
    Flux<BlobTagFilter.Match> findByTags(BlobTagFilter filter);

    /**
     * Moves a blob to another access tier; see {@link BlobContainer#setTier}.
     *
     * @param name the blob's name
     * @param tier the tier
     * @return its result
     */
    Mono<WriteResult> setTier(String name, AccessTier tier);

    /**
     * Changes headers that a blob is served with; see {@link BlobContainer#setHeaders(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param change changes the present headers
     * @return its result, with the new ETag
     */
    Mono<WriteResult> setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change);

    /**
     * Removes a blob; see {@link BlobContainer#delete(String)}.
     *
     * @param name the blob's name
     * @return its result
     */
    Mono<WriteResult> delete(String name);

    /**
     * Removes one version of a blob; see {@link BlobContainer#delete(String, String)}.
     *
     * @param name the blob's name
     * @param etag the version
     * @return its result
     */
    Mono<WriteResult> delete(String name, String etag);

    /**
     * Removes a blob if its tags match the condition; see {@link BlobContainer#delete(String, BlobTagFilter)}.
     *
     * @param name the blob's name
     * @param condition what its tags must be
     * @return its result
     */
    Mono<WriteResult> delete(String name, BlobTagFilter condition);

    /**
     * Removes a blob if it is there; see {@link BlobContainer#deleteIfExists(String)}.
     *
     * @param name the blob's name
     * @return whether it was there
     */
    Mono<Boolean> deleteIfExists(String name);

    /**
     * Returns all blobs; see {@link BlobContainer#stream()}.
     *
     * @return their facts in the order of their names
     */
    default Flux<BlobInfo> stream() {
        return stream("");
    }

    /**
     * Returns the blobs whose names begin with the prefix; see {@link BlobContainer#stream(String)}.
     *
     * @param prefix the beginning
     * @return their facts in the order of their names
     */
    Flux<BlobInfo> stream(String prefix);

    /**
     * Returns the blobs whose names begin with one of the prefixes; see {@link BlobContainer#stream(Collection)}.
     *
     * @param prefixes the beginnings
     * @return their facts in the order of their names, each once
     */
    default Flux<BlobInfo> stream(Collection<String> prefixes) {
        return stream(prefixes, 8);
    }

    /**
     * Returns the blobs whose names begin with one of the prefixes; see {@link BlobContainer#stream(Collection, int)}.
     *
     * @param prefixes the beginnings
     * @param parallelism how many of them are listed at a time, 1 to 256
     * @return their facts in the order of their names, each once
     * @throws IllegalArgumentException if the number is out of range
     */
    Flux<BlobInfo> stream(Collection<String> prefixes, int parallelism);

    /**
     * Lists one level of a hierarchy that the names make; see {@link BlobContainer#entries(String, String)}.
     *
     * @param prefix the beginning, may be empty
     * @param delimiter what separates levels
     * @return the level in the order of names
     */
    Flux<BlobTree.Entry> entries(String prefix, String delimiter);

    /**
     * Walks the tree of the blobs below a beginning; see {@link BlobTree#walk(Predicate)}.
     *
     * @param prefix what the names begin with, as a rule with the delimiter at its end; empty for the whole container
     * @param delimiter what separates levels
     * @param into whether to walk into a folder
     * @return blobs and folders, depth first, levels in the order of names
     */
    Flux<BlobTree.Entry> walk(String prefix, String delimiter, Predicate<BlobTree.Entry> into);

    /**
     * Deletes many blobs; see {@link BlobContainer#deleteAll}.
     *
     * @param names the blobs
     * @return the end of each, in the order of the names
     */
    Mono<List<TransferReport.Item>> deleteAll(Collection<String> names);

    /**
     * Deletes many blobs with all their snapshots; see {@link BlobContainer#deleteAllWithSnapshots}.
     *
     * @param names the blobs
     * @return the end of each, in the order of the names
     */
    Mono<List<TransferReport.Item>> deleteAllWithSnapshots(Collection<String> names);

    /**
     * Moves many blobs to another access tier; see {@link BlobContainer#setTierOfAll}.
     *
     * @param names the blobs
     * @param tier the tier
     * @return the end of each, in the order of the names
     */
    Mono<List<TransferReport.Item>> setTierOfAll(Collection<String> names, AccessTier tier);

    /**
     * Keeps the present state of a blob; see {@link BlobContainer#snapshot}.
     *
     * @param name the blob's name
     * @return the snapshot
     */
    Mono<ReactiveBlobRevision> snapshot(String name);

    /**
     * Returns a snapshot by its id; see {@link BlobContainer#snapshotOf}.
     *
     * @param name the blob's name
     * @param id its id
     * @return the snapshot, which need not exist
     */
    ReactiveBlobRevision snapshotOf(String name, String id);

    /**
     * Returns a version by its id; see {@link BlobContainer#versionOf}.
     *
     * @param name the blob's name
     * @param id its id
     * @return the version, which need not exist
     */
    ReactiveBlobRevision versionOf(String name, String id);

    /**
     * Returns the snapshots and versions of a blob; see {@link BlobContainer#revisions}.
     *
     * @param name the blob's name
     * @return the revisions, the oldest first
     */
    Flux<ReactiveBlobRevision> revisions(String name);

    /**
     * Removes a blob and all its snapshots; see {@link BlobContainer#deleteWithSnapshots}.
     *
     * @param name the blob's name
     * @return its result
     */
    Mono<WriteResult> deleteWithSnapshots(String name);

    /**
     * Removes all snapshots of a blob; see {@link BlobContainer#deleteSnapshots}.
     *
     * @param name the blob's name
     * @return its result
     */
    Mono<WriteResult> deleteSnapshots(String name);

    /**
     * Brings back what was deleted; see {@link BlobContainer#undelete}.
     *
     * @param name the blob's name
     * @return the end of it
     */
    Mono<Void> undelete(String name);

    /**
     * Uploads a folder; see {@link BlobContainer#uploadDirectory}. Each subscription starts a transfer, which
     * {@link Transfer#cancel} ends early: {@code .flatMap(transfer -> transfer.whenComplete().doOnCancel(transfer::cancel))}.
     *
     * @param directory the folder
     * @param prefix what the names of the blobs begin with, such as {@code 2026/}; empty for none
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    Mono<Transfer> uploadDirectory(Path directory, String prefix, UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Downloads the blobs below a prefix; see {@link BlobContainer#downloadDirectory}. Each subscription starts a transfer.
     *
     * @param prefix what the names of the blobs begin with; empty for the whole container
     * @param directory the folder, made if it is missing
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    Mono<Transfer> downloadDirectory(String prefix, Path directory, UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Copies a blob; see {@link BlobContainer#copyFrom(BlobContainer, String, String)}.
     *
     * @param source the container of the source
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @return its result
     */
    default Mono<BlobWriteResult> copyFrom(ReactiveBlobContainer source, String sourceName, String name) {
        return copyFrom(source, sourceName, name, settings -> settings);
    }

    /**
     * Copies a blob; see {@link BlobContainer#copyFrom(BlobContainer, String, String, UnaryOperator)}.
     *
     * @param source the container of the source
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @param settings changes the default settings
     * @return its result
     */
    Mono<BlobWriteResult> copyFrom(
            ReactiveBlobContainer source, String sourceName, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Copies what is at an address; see {@link BlobContainer#copyFrom(URI, String)}.
     *
     * @param source the address, with a signature unless everyone may read it
     * @param name the name of the copy
     * @return its result
     */
    default Mono<BlobWriteResult> copyFrom(URI source, String name) {
        return copyFrom(source, name, settings -> settings);
    }

    /**
     * Copies what is at an address; see {@link BlobContainer#copyFrom(URI, String, UnaryOperator)}.
     *
     * @param source the address, with a signature unless everyone may read it
     * @param name the name of the copy
     * @param settings changes the default settings
     * @return its result
     */
    Mono<BlobWriteResult> copyFrom(URI source, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Starts a copy; see {@link BlobContainer#startCopy(BlobContainer, String, String)}.
     *
     * @param source the container of the source
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @return the copy, which the service makes
     */
    default Mono<ReactiveBlobCopy> startCopy(ReactiveBlobContainer source, String sourceName, String name) {
        return startCopy(source, sourceName, name, settings -> settings);
    }

    /**
     * Starts a copy; see {@link BlobContainer#startCopy(BlobContainer, String, String, UnaryOperator)}.
     *
     * @param source the container of the source
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @param settings changes the default settings
     * @return the copy, which the service makes
     */
    Mono<ReactiveBlobCopy> startCopy(
            ReactiveBlobContainer source, String sourceName, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Starts a copy; see {@link BlobContainer#startCopy(URI, String, UnaryOperator)}.
     *
     * @param source the address, with a signature unless everyone may read it
     * @param name the name of the copy
     * @param settings changes the default settings
     * @return the copy, which the service makes
     */
    Mono<ReactiveBlobCopy> startCopy(URI source, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Returns a copy that was started before; see {@link BlobContainer#pendingCopy}.
     *
     * @param name the name of the target
     * @param id the id of the copy
     * @return the copy
     */
    ReactiveBlobCopy pendingCopy(String name, String id);

    /**
     * Copies the blobs below a prefix; see {@link BlobContainer#copyDirectory}. Each subscription starts a transfer.
     *
     * @param prefix what the names of the blobs begin with; empty for the whole container
     * @param target the container of the copies, of this account or another one
     * @param newPrefix what the names of the copies begin with
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    Mono<Transfer> copyDirectory(
            String prefix,
            ReactiveBlobContainer target,
            String newPrefix,
            UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Returns this container as the source of copies of its hot blobs in others; see {@link #replicas(List, UnaryOperator)}.
     *
     * @param others the containers of the copies, often of other accounts
     * @return the copies; making them costs nothing
     */
    default ReactiveBlobReplicas replicas(List<ReactiveBlobContainer> others) {
        return replicas(others, settings -> settings);
    }

    /**
     * Returns this container as the source of copies of its hot blobs in others, over which reads spread. Keep the result for the life of the
     * process: it knows the newest version that it has read.
     *
     * @param others the containers of the copies, often of other accounts
     * @param settings changes the default settings
     * @return the copies; making them costs nothing
     * @throws IllegalArgumentException if there is no other container, one is there twice or not of this library, or a setting is out of range
     */
    ReactiveBlobReplicas replicas(List<ReactiveBlobContainer> others, UnaryOperator<ReplicaSettings.Builder> settings);

    /**
     * Deletes the blobs below a prefix; see {@link BlobContainer#deleteDirectory}. Each subscription starts a transfer.
     *
     * @param prefix what the names of the blobs begin with
     * @param settings changes the default settings
     * @return the transfer, which runs
     */
    Mono<Transfer> deleteDirectory(String prefix, UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Returns a blob that is written at its end only; see {@link BlobContainer#appendBlob}.
     *
     * @param name the blob's name
     * @return the blob, which need not exist yet
     */
    ReactiveAppendBlob appendBlob(String name);

    /**
     * Returns a blob whose pages are written at any position; see {@link BlobContainer#pageBlob}.
     *
     * @param name the blob's name
     * @return the blob, which need not exist yet
     */
    ReactivePageBlob pageBlob(String name);

    /**
     * Returns a cached view that reads this container without a request each time; see {@link BlobContainer#cached}.
     *
     * @param freshness for how long what was read counts as the present state
     * @return the cached reads
     */
    ReactiveCachedContainer cached(Freshness freshness);
}
