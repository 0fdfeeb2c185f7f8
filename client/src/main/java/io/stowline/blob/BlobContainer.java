package io.stowline.blob;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.AccessTier;
import io.stowline.access.AccessPolicies;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.internal.rule.TypedMetadata;
import io.stowline.caching.Freshness;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A container of blobs.
 *
 * <pre>{@code
 * BlobContainer photos = storage.container("photos");
 * photos.createIfMissing();
 * BlobWriteResult uploaded = photos.upload(Path.of("a.jpg"), "2026/a.jpg");
 * photos.upload("hello".getBytes(), "a.txt", with -> with.overwrite().contentType("text/plain"));
 * photos.downloadTo("2026/a.jpg", Path.of("copy.jpg"));
 * try (Stream<BlobInfo> blobs = photos.stream("2026/")) {
 *     blobs.forEach(blob -> System.out.println(blob.name() + " " + blob.size()));
 * }
 * }</pre>
 *
 * <p><b>Uploads</b> refuse to overwrite unless {@link UploadSettings.Builder#overwrite()} is set. Content up to the block size (8 MiB)
 * travels in one request, longer content in blocks, several at a time, and becomes the blob only when all of it is there: an upload that
 * fails leaves the blob as it was. What travels is checked by MD5, and the MD5 of the whole is stored with the blob.
 *
 * <p><b>Downloads</b> read ranges of 8 MiB, 4 at a time, all of one version: a blob that changes in between is a
 * {@link PreconditionFailedException}, never a mixture. A range that breaks off is resumed. All transfers
 * of a client share one memory, a quarter of the heap and at most 128 MiB, and wait for it in FIFO order, however large the blobs are.
 *
 * <p>Every request is tried by the retry settings of this container until its deadline. {@link #setHeaders}, {@link
 * #setMetadata(String, Map)} and an append read first and write then, both within one deadline; each block and each
 * range has its own, so that any length fits. A request's server timeout grows by a second for every 256 KiB of
 * content, up to the deadline; for large blocks on slow lines set a longer one with {@link #withRetry}. Names, metadata
 * and sizes are checked before anything is sent, with an {@link IllegalArgumentException}. What the service refuses is
 * a {@link io.stowline.error.StorageException}, by meaning; a condition that does not hold is a {@link
 * PreconditionFailedException}, with status 304 where it was of a read. An interrupt ends a wait at once with {@link
 * io.stowline.error.StorageInterruptedException}.
 *
 * <p><b>Lost responses</b>: a write whose outcome the client does not know is an
 * {@link io.stowline.error.OutcomeUnknownException}. Writes that must not replace anything else leave a marker in the metadata, by which a
 * read-back recognises them. Those are uploads that do not overwrite, the creation of containers and append blobs, and metadata set on one
 * version. No method shows it, and its name {@code stowlinewrite} is not to be had. Writes without a condition are sent again: after a lost
 * response they may take effect twice.
 *
 * <p>Thread-safe; works on platform and virtual threads, and refuses to block an event loop. {@link #reactive()} has the same methods
 * without blocking.
 */
public interface BlobContainer {

    /**
     * Returns the container's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this container
     */
    ReactiveBlobContainer reactive();

    /**
     * Returns the Azure SDK's client of this container, for what this one does not have. It sends over the connections, the credentials and
     * the retries of this client, and fails in the SDK's own way. With an account key it also signs: shared access signatures, and the
     * requests of a batch. What a view sets is not in it: neither {@link #withHeader a header}, such as the key of an encryption, nor
     * {@link #withRetry retry settings}.
     *
     * @return the client
     */
    BlobContainerAsyncClient unwrap();

    /**
     * Returns the same container with one more header on all its requests, all attempts included. It is signed where the service signs
     * headers.
     *
     * @param name its name; not one that the library sets itself, such as {@code Authorization} and {@code x-ms-version}, or that changes
     *     what a request means, such as {@code If-Match} and {@code Content-Type}
     * @param value its value: 1 to 8,192 characters of visible ASCII and spaces
     * @return the narrowed container; making it costs nothing
     * @throws IllegalArgumentException if the header is not allowed; its value is not shown
     */
    BlobContainer withHeader(String name, String value);

    /**
     * Returns the same container with other retry settings, for all or for a single call.
     *
     * @param settings changes the settings that this container has
     * @return the narrowed container; making it costs nothing
     */
    BlobContainer withRetry(UnaryOperator<RetrySettings.Builder> settings);

    /**
     * Returns the same container with reads that may go to the secondary: {@link #find(String) find}, {@link #info() info},
     * {@link #downloadTo(String, Path) downloadTo}, {@link #stream() stream} and {@link #entries entries}, whose results name where they
     * came from. What gives bytes or a yes or no only, and all else, stays with the primary.
     *
     * <p>A download begins like any read; all its ranges are of the version that the first one found ({@code If-Match}), which is what its
     * origin speaks of. A range that cannot be had there may come from the other place if that has the same version. The pages of a
     * listing stay where its first page came from.
     *
     * @param source where safe reads go, {@link ReadFrom#PRIMARY} unless the client's builder sets another
     * @return the narrowed container; making it costs nothing
     * @throws IllegalArgumentException if no secondary endpoint of the blobs is known
     */
    BlobContainer withReadPreference(ReadFrom source);

    /**
     * Returns the same container with a lease that its writes name. The service refuses a write that names a lease which is over, and one that
     * names none while the lease lasts. The view writes the blob that the lease is of, or, under a lease of the container, drops it and sets
     * its metadata. A view costs nothing.
     *
     * <p>A write fails before it is sent with a {@link LeaseLostException} once the lease is lost or released, and with an {@link
     * IllegalArgumentException} where the lease is of another blob.
     *
     * @param lease a lease of this container or of a blob in it
     * @return the narrowed container
     * @throws IllegalArgumentException if the lease is of another container
     */
    BlobContainer withLease(BlobLease lease);

    /**
     * Returns the same container with a lease of the non-blocking face that its writes name; see {@link #withLease(BlobLease)}.
     *
     * @param lease a lease of this container or of a blob in it
     * @return the narrowed container
     * @throws IllegalArgumentException if the lease is of another container
     */
    BlobContainer withLease(ReactiveBlobLease lease);

    /**
     * Acquires a lease of a blob, and renews it at its half. After a lost response its id decides.
     *
     * @param name the blob's name
     * @param duration 15 s to 60 s, or {@link BlobLease#INFINITE}
     * @return the lease, to be closed
     * @throws NotFoundException if there is no blob
     * @throws ConflictException if another client has it
     * @throws IllegalArgumentException if the duration is out of range
     */
    BlobLease lease(String name, Duration duration);

    /**
     * Acquires a lease of this container, without which it cannot be dropped; see {@link #lease(String, Duration)}.
     *
     * @param duration 15 s to 60 s, or {@link BlobLease#INFINITE}
     * @return the lease, to be closed
     * @throws ConflictException if another client has it
     */
    BlobLease lease(Duration duration);

    /**
     * Breaks the lease of a blob, for operators who do not have its id. Its holder can renew it no longer. The request is sent once: a second
     * one could break the lease of the next holder.
     *
     * @param name the blob's name
     * @param period the time after which others may get it, zero to 60 s; the rest of the lease if that is shorter
     * @return the time until others can get it
     * @throws ConflictException if it has none
     * @throws IllegalArgumentException if the period is out of range
     */
    Duration breakLease(String name, Duration period);

    /**
     * Breaks the lease of this container; see {@link #breakLease(String, Duration)}.
     *
     * @param period the time after which others may get it, zero to 60 s
     * @return the time until others can get it
     */
    Duration breakLease(Duration period);

    /**
     * Returns the election of a leader by a lease of 30 s; see {@link #leader(String, Duration)}.
     *
     * @param name the name of the blob that stands for the election
     * @return the election; nothing is sent yet
     */
    default LeaderElection leader(String name) {
        return leader(name, Duration.ofSeconds(30));
    }

    /**
     * Returns the election of a leader among all processes that name this blob. The blob is created if it is absent, and keeps the number of the
     * last term in its metadata: do not remove it.
     *
     * @param name the name of the blob that stands for the election
     * @param lease the lease of the leader, 15 s to 60 s: after a crash another process leads once it has passed
     * @return the election; nothing is sent yet
     * @throws IllegalArgumentException if the lease is out of range
     */
    LeaderElection leader(String name, Duration lease);

    /**
     * Creates the container, without public access. While a container of this name is still being deleted it is tried again within the
     * deadline. The call leaves a marker in the container's metadata, which is not shown, and recognises it after a lost response. The call
     * may then wait up to 35 s more, within its deadline.
     *
     * @throws ConflictException if there is one of this name
     * @throws io.stowline.error.OutcomeUnknownException if a response was lost and the service does not show which client created the
     *     existing one
     */
    void create();

    /**
     * Creates the container unless it exists. It leaves no marker.
     *
     * @return true if it was made by this call; after a lost response also false where this call may have made the one that is there
     */
    boolean createIfMissing();

    /**
     * Removes the container with all its blobs.
     *
     * @throws NotFoundException if there is none
     */
    void drop();

    /**
     * Removes the container with all its blobs if it is there.
     *
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    boolean dropIfExists();

    /**
     * Begins a signature that opens one blob for others.
     *
     * <pre>{@code
     * URI link = photos.sas("a.jpg").canCreate().canWrite().validFor(Duration.ofMinutes(30)).sign().uri();
     * }</pre>
     *
     * @param name the blob's name; it need not exist
     * @return its builder
     * @throws IllegalArgumentException if the name is not allowed
     */
    BlobSasBuilder<SharedAccessSignature> sas(String name);

    /**
     * Begins a signature that opens all blobs of this container for others.
     *
     * @return its builder
     */
    ContainerSasBuilder<SharedAccessSignature> sas();

    /**
     * Returns the stored access policies of this container, by which signatures are taken back.
     *
     * @return its policies; making them costs nothing
     */
    AccessPolicies<ContainerSasBuilder<?>> policies();

    /**
     * Returns whether the container is there.
     *
     * @return true if it is
     */
    boolean exists();

    /**
     * Returns the properties of the container.
     *
     * @return version, metadata, and where they were read
     * @throws NotFoundException if the container is not there
     */
    ContainerInfo info();

    /**
     * Replaces the container's metadata.
     *
     * @param metadata all names and values, at most 8 KiB
     * @return its result
     * @throws NotFoundException if the container is not there
     */
    WriteResult setMetadata(Map<String, String> metadata);

    /**
     * Uploads a file; there must be no blob of this name yet.
     *
     * @param file the file
     * @param name the blob's name
     * @return what was written
     * @throws ConflictException if there is a blob of this name
     * @throws UncheckedIOException if the file cannot be read, or is changed or replaced during the upload
     */
    default BlobWriteResult upload(Path file, String name) {
        return upload(file, name, settings -> settings);
    }

    /**
     * Uploads a file. It is read block by block on a thread for files. Blocks that an upload of the same content left
     * behind, in this process or another, are not sent again. The blob gets the content type that the end of its name
     * stands for, unless the settings have another one.
     *
     * <p>Unless it overwrites whatever is there, it leaves a marker in the blob's metadata, which is not shown. If a response is lost, the
     * call reads the blob back. If that leaves the outcome open, it waits within its deadline, up to 35 s with the default settings.
     *
     * @param file the file
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     * @throws ConflictException if there is a blob of this name and it may not be overwritten; found out before blocks are sent
     * @throws PreconditionFailedException if the version to replace is not there; found out before blocks are sent, and at the commit
     * @throws IllegalArgumentException if the file has more bytes than fit into 50,000 blocks of 2,000 MiB
     * @throws UncheckedIOException if the file cannot be read, or is changed or replaced during the upload; nothing is committed then
     */
    BlobWriteResult upload(Path file, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Uploads bytes; there must be no blob of this name yet.
     *
     * @param content the bytes, not copied: they must not change until the end
     * @param name the blob's name
     * @return what was written
     * @throws ConflictException if there is a blob of this name
     */
    default BlobWriteResult upload(byte[] content, String name) {
        return upload(content, name, settings -> settings);
    }

    /**
     * Uploads bytes.
     *
     * <p>Unless it overwrites whatever is there, it leaves a marker in the blob's metadata, which is not shown. If a response is lost, the
     * call reads the blob back. If that leaves the outcome open, it waits within its deadline, up to 35 s with the default settings.
     *
     * @param content the bytes, not copied: they must not change until the end
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     * @throws ConflictException if there is a blob of this name and it may not be overwritten
     * @throws PreconditionFailedException if the version to replace is not there
     */
    BlobWriteResult upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Uploads a stream; there must be no blob of this name yet.
     *
     * @param content the stream
     * @param name the blob's name
     * @return what was written
     * @throws ConflictException if there is a blob of this name
     * @throws UncheckedIOException if the stream fails; nothing is committed then
     */
    default BlobWriteResult upload(InputStream content, String name) {
        return upload(content, name, settings -> settings);
    }

    /**
     * Uploads a stream of whatever length. It is read to its end on the calling thread, and not closed.
     *
     * <p>Unless it overwrites whatever is there, it leaves a marker in the blob's metadata, which is not shown. If a response is lost, the
     * call reads the blob back. If that leaves the outcome open, it waits within its deadline, up to 35 s with the default settings.
     *
     * @param content the stream
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     * @throws ConflictException if there is a blob of this name and it may not be overwritten; found out before blocks are sent
     * @throws PreconditionFailedException if the version to replace is not there; found out before blocks are sent, and at the commit
     * @throws UncheckedIOException if the stream fails, or has more bytes than fit into 50,000 blocks; nothing is committed then
     */
    BlobWriteResult upload(InputStream content, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Opens a writer of a blob; there must be no blob of this name yet.
     *
     * @param name the blob's name
     * @return the writer, which publishes nothing without {@link BlobWriter#commit}
     */
    default BlobWriter write(String name) {
        return write(name, settings -> settings);
    }

    /**
     * Opens a writer of a blob. Nothing is sent before a block is full, or before the commit.
     *
     * @param name the blob's name
     * @param settings changes the default settings
     * @return the writer, which publishes nothing without {@link BlobWriter#commit}
     */
    BlobWriter write(String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Reads a small blob into memory, at most 64 MiB.
     *
     * @param name the blob's name
     * @return its content
     * @throws NotFoundException if there is none
     * @throws IllegalStateException if it has more bytes, naming both sizes
     */
    default byte[] download(String name) {
        return download(name, with -> with);
    }

    /**
     * Reads a blob into memory.
     *
     * @param name the blob's name
     * @param limit the most bytes that it may have
     * @return its content
     * @throws NotFoundException if there is none
     * @throws IllegalStateException if it has more bytes, naming both sizes
     */
    default byte[] download(String name, int limit) {
        return download(name, with -> with.limit(limit));
    }

    /**
     * Reads a blob, or a part of it, into memory.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults, such as {@code o -> o.range(from, length)}
     * @return its content
     * @throws NotFoundException if there is none
     * @throws IllegalStateException if it has more bytes than the limit of the settings, naming both sizes
     * @throws PreconditionFailedException if it changes during the download
     * @throws io.stowline.error.ProtocolException if what arrived is not what is stored
     */
    byte[] download(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads a blob into a file, with the default settings; see {@link #downloadTo(String, Path, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the blob that was read
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if it changes during the download
     * @throws io.stowline.error.ProtocolException if what arrived is not what is stored
     * @throws UncheckedIOException if the file cannot be written
     */
    default BlobInfo downloadTo(String name, Path target) {
        return downloadTo(name, target, with -> with).blob();
    }

    /**
     * Reads a blob into a file. It is written beside the target, checked by its length and the MD5 that is stored with it, and takes the
     * place of the target in one step: a download that fails leaves the target as it was. The target keeps its mode; a new one gets the
     * usual mode of the process's files. The folder must be there. A link stays, and the file that it leads to is replaced, or made. A target that
     * is no file, such as a device or a pipe, is refused before anything is sent.
     *
     * <p>A download of more than one range leaves its ranges in two files {@code .stowline-*} in the folder when it fails or its process
     * dies. The next download of this blob to this target checks them by their hashes and requests only what is missing. If the blob has
     * another version by then, the download begins at its start, logs that, and reports that in its result. Both files are their owner's alone
     * and hold no credential; they are removed when the download succeeds. A second download of the blob to the target, in this process or
     * another one, uses files with other names. If another process makes the unfinished file longer or shorter during the download, or
     * puts another one in its place, the download fails and the next one begins at the start. Bytes that it overwrites in it are found
     * where the blob has a stored MD5 only.
     *
     * <p>An append blob may grow during the download: it is read up to the length first seen.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @param settings sets what differs from the defaults
     * @return the blob that was read, and what was resumed
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if it changes during the download
     * @throws io.stowline.error.ProtocolException if what arrived is not what is stored
     * @throws UncheckedIOException if the file cannot be written
     * @throws IllegalArgumentException if the settings have a range
     */
    DownloadSettings.FileDownload downloadTo(
            String name, Path target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads a blob into a stream, which is written on the calling thread, flushed and not closed. The checks of the whole come when all
     * of it has been written.
     *
     * @param name the blob's name
     * @param target the stream
     * @return the blob that was read
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if it changes during the download
     * @throws io.stowline.error.ProtocolException if what arrived is not what is stored
     * @throws UncheckedIOException if the stream cannot be written
     */
    default BlobInfo downloadTo(String name, OutputStream target) {
        return downloadTo(name, target, with -> with);
    }

    /**
     * Reads a blob, or a part of it, into a stream, which is written on the calling thread, flushed and not closed. The checks of the whole
     * come when all of it has been written.
     *
     * @param name the blob's name
     * @param target the stream
     * @param settings sets what differs from the defaults
     * @return the blob that was read
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if it changes during the download
     * @throws io.stowline.error.ProtocolException if what arrived is not what is stored
     * @throws UncheckedIOException if the stream cannot be written
     */
    BlobInfo downloadTo(String name, OutputStream target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens a blob for reading at the reader's pace; some ranges are read ahead, and no connection is held while the reader pauses.
     * Reading throws the exceptions of a download. The stored MD5 is not checked, since the reader has the bytes before. A stream that is
     * lost without {@code close()} is closed when it is collected, and logged.
     *
     * @param name the blob's name
     * @return its content; close it unless it was read to its end. For one thread at a time
     * @throws NotFoundException if there is none
     */
    default InputStream open(String name) {
        return open(name, with -> with);
    }

    /**
     * Opens a blob, or a part of it, for reading at the reader's pace; see {@link #open(String)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults: parallelism, size of ranges, range
     * @return its content; close it unless it was read to its end. For one thread at a time
     * @throws NotFoundException if there is none
     */
    InputStream open(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens a blob whose facts are known before its first byte, in the version that is read: for an HTTP response, whose head they are.
     *
     * @param name the blob's name
     * @return the facts and the content; close it unless the content was read to its end
     * @throws NotFoundException if there is none
     */
    default BlobDownload openDownload(String name) {
        return openDownload(name, with -> with);
    }

    /**
     * Opens a blob, or a part of it, whose facts are known before its first byte; see {@link #openDownload(String)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults: range, version, parallelism, size of ranges
     * @return the facts and the content; close it unless the content was read to its end
     * @throws NotFoundException if there is none
     * @throws io.stowline.error.PreconditionFailedException if it has another version than {@code ifMatch} names
     */
    BlobDownload openDownload(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens a blob for reading at any position, all of one version. A channel that is read in order reads ahead of its reader; one that is
     * read here and there requests what it reads, at least 64 KiB. No connection is held between two reads.
     *
     * <p>The channel is thread-safe: one read at a time uses the position. An interrupt closes it, as it closes a
     * {@link java.nio.channels.FileChannel}; a close ends a read with an {@link java.nio.channels.AsynchronousCloseException}. It cannot be
     * written. Reading throws the exceptions of a download; after one of them the position is as before. The stored MD5 is not checked.
     *
     * @param name the blob's name
     * @return the channel, at position 0; close it
     * @throws NotFoundException if there is none
     * @throws IllegalStateException if the blob has the {@code Content-Encoding} {@code gzip}: its content has no positions before it is
     *     expanded; {@link #channel(String, UnaryOperator)} reads the stored bytes
     */
    default SeekableByteChannel channel(String name) {
        return channel(name, with -> with);
    }

    /**
     * Opens a blob for reading at any position; see {@link #channel(String)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults: {@code asStored} for a blob with the {@code Content-Encoding} {@code gzip},
     *     version, parallelism, size of ranges
     * @return the channel, at position 0; close it
     * @throws NotFoundException if there is none
     * @throws io.stowline.error.PreconditionFailedException if it has another version than {@code ifMatch} names
     * @throws IllegalArgumentException if the settings have a range
     */
    SeekableByteChannel channel(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Returns whether a blob is there.
     *
     * @param name the blob's name
     * @return true if it is
     * @throws NotFoundException if the container is not there
     */
    boolean exists(String name);

    /**
     * Returns the properties of a blob.
     *
     * @param name the blob's name
     * @return its facts
     * @throws NotFoundException if there is none
     */
    BlobInfo info(String name);

    /**
     * Returns the properties of a blob, if there is one.
     *
     * @param name the blob's name
     * @return its facts
     * @throws NotFoundException if the container is not there
     */
    Optional<BlobInfo> find(String name);

    /**
     * Replaces a blob's metadata, whatever its version. Reads first, then writes: the time of the file that a directory upload keeps beside
     * the metadata stays. A client that may not read the blob writes at once, and that time goes.
     *
     * @param name the blob's name
     * @param metadata all names and values, at most 8 KiB
     * @return its result, with the new ETag
     * @throws NotFoundException if there is none
     */
    WriteResult setMetadata(String name, Map<String, String> metadata);

    /**
     * Replaces the metadata of one version of a blob. Reads first, then writes, as {@link #setMetadata(String, Map)} does.
     *
     * <p>It leaves a marker in the metadata, which is not shown. If a response is lost, the call reads the blob back. If that leaves the
     * outcome open, it waits within its deadline until no attempt can still take effect: up to 35 s with the default settings.
     *
     * @param name the blob's name
     * @param metadata all names and values, at most 8 KiB; with less than 49 bytes to spare no marker is left, and
     *     after a lost response the metadata decide
     * @param etag the version
     * @return its result, whose ETag is empty where the response was lost: another client may have changed the blob since
     * @throws PreconditionFailedException if the blob has another version
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and it is unknown whether the metadata was set
     */
    WriteResult setMetadata(String name, Map<String, String> metadata, String etag);

    /**
     * Replaces a blob's metadata by the components of a record, whatever its version; see {@link BlobInfo#metadataAs}.
     *
     * @param name the blob's name
     * @param metadata the record, by the rules of {@link io.stowline.projection.EntityType}; an absent value is left out
     * @return its result, with the new ETag
     * @throws NotFoundException if there is none
     * @throws IllegalArgumentException if the type cannot be mapped, or its names or values cannot be metadata
     */
    default WriteResult setMetadataOf(String name, Object metadata) {
        Objects.requireNonNull(name, "name");
        return setMetadata(name, TypedMetadata.of(metadata));
    }

    /**
     * Replaces the metadata of one version of a blob by the components of a record; see {@link #setMetadata(String, Map, String)}.
     *
     * @param name the blob's name
     * @param metadata the record, by the rules of {@link io.stowline.projection.EntityType}; an absent value is left out
     * @param etag the version
     * @return its result, whose ETag is empty where the response was lost: another client may have changed the blob since
     * @throws PreconditionFailedException if the blob has another version
     * @throws IllegalArgumentException if the type cannot be mapped, or its names or values cannot be metadata
     */
    default WriteResult setMetadataOf(String name, Object metadata, String etag) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(etag, "etag");
        return setMetadata(name, TypedMetadata.of(metadata), etag);
    }

    /**
     * Returns the tags of a blob.
     *
     * @param name the blob's name
     * @return names and values
     * @throws NotFoundException if there is none
     */
    Map<String, String> tags(String name);

    /**
     * Replaces all tags of a blob, which keeps its version.
     *
     * @param name the blob's name
     * @param tags at most 10, with names of 1 to 128 and values of up to 256 characters: letters, digits, space and {@code + - . / : = _}
     * @return its result
     * @throws NotFoundException if there is none
     * @throws IllegalArgumentException if there are too many, or a name or value is too long or has another character
     */
    WriteResult setTags(String name, Map<String, String> tags);

    /**
     * Replaces all tags of a blob if they match the condition. After a lost response the call reads the tags.
     *
     * @param name the blob's name
     * @param tags the new tags; see {@link #setTags(String, Map)}
     * @param condition what the tags must be before
     * @return its result
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if the tags are not so
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and the blob has other tags
     */
    WriteResult setTags(String name, Map<String, String> tags, BlobTagFilter condition);

    /**
     * Finds the blobs whose tags match the filter, fetched as they are read. Close the stream if it is not read to its end. The service's index
     * follows changes of tags after some seconds.
     *
     * @param filter comparisons joined by {@link BlobTagFilter#and}
     * @return names, and the tags that the filter names
     * @throws IllegalArgumentException if the filter has alternatives
     */
    Stream<BlobTagFilter.Match> findByTags(BlobTagFilter filter);

    /**
     * Moves a blob to another access tier. Content leaves the archive within hours.
     *
     * @param name the blob's name
     * @param tier such as {@link AccessTier#COOL}
     * @return its result
     * @throws NotFoundException if there is none
     * @throws ConflictException if it is on its way out of the archive
     */
    WriteResult setTier(String name, AccessTier tier);

    /**
     * Changes some of the headers that a blob is served with and keeps the others and its MD5. Reads first, then writes.
     *
     * <p>If a response is lost, the call reads the blob back. If that leaves the outcome open, it waits within its deadline until no
     * attempt can still take effect: up to 35 s with the default settings.
     *
     * @param name the blob's name
     * @param change changes the present headers
     * @return its result, whose ETag is empty where the response was lost: another client may have changed the blob since
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if it changes between the two
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and the headers are not so
     */
    WriteResult setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change);

    /**
     * Removes a blob, whatever its version. Where a response was lost and it is gone, that is success.
     *
     * <p>If a response is lost, the call reads the blob back. If that leaves the outcome open, it waits within its deadline until no
     * attempt can still take effect: up to 35 s with the default settings.
     *
     * @param name the blob's name
     * @return its result
     * @throws NotFoundException if there is none
     * @throws ConflictException if it has snapshots
     */
    WriteResult delete(String name);

    /**
     * Removes one version of a blob.
     *
     * <p>If a response is lost, the call reads the blob back. If that leaves the outcome open, it waits within its deadline until no
     * attempt can still take effect: up to 35 s with the default settings.
     *
     * @param name the blob's name
     * @param etag the version
     * @return its result
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if the blob has another version
     * @throws io.stowline.error.OutcomeUnknownException if a response was lost and the version is gone, by whomever
     */
    WriteResult delete(String name, String etag);

    /**
     * Removes a blob if its tags match the condition. Where a response was lost and it is gone, that is success.
     *
     * @param name the blob's name
     * @param condition what its tags must be
     * @return its result
     * @throws NotFoundException if there is none
     * @throws PreconditionFailedException if its tags are not so
     */
    WriteResult delete(String name, BlobTagFilter condition);

    /**
     * Removes a blob if it is there.
     *
     * @param name the blob's name
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     * @throws NotFoundException if the container is not there
     */
    boolean deleteIfExists(String name);

    /**
     * Returns all blobs, fetched as they are read. Close the stream if it is not read to its end.
     *
     * @return their facts in the order of their names
     */
    default Stream<BlobInfo> stream() {
        return stream("");
    }

    /**
     * Returns the blobs whose names begin with the prefix, fetched as they are read. Close the stream if it is not read to its end.
     *
     * @param prefix the beginning
     * @return their facts in the order of their names
     */
    Stream<BlobInfo> stream(String prefix);

    /**
     * Returns the blobs whose names begin with one of the prefixes, 8 of which are listed at a time; see {@link #stream(Collection, int)}.
     *
     * @param prefixes the beginnings, such as those of {@link io.stowline.projection.key.KeyFormat#prefixes}
     * @return their facts in the order of their names, each once
     */
    default Stream<BlobInfo> stream(Collection<String> prefixes) {
        return stream(prefixes, 8);
    }

    /**
     * Returns the blobs whose names begin with one of the prefixes, fetched as they are read. The first page of each of the next prefixes is
     * fetched before its turn. Close the stream if it is not read to its end, which ends all requests.
     *
     * @param prefixes the beginnings, such as those of {@link io.stowline.projection.key.KeyFormat#prefixes}
     * @param parallelism how many of them are listed at a time, 1 to 256; each holds a page of up to 5,000 blobs
     * @return their facts in the order of their names, each once
     * @throws IllegalArgumentException if the number is out of range
     */
    Stream<BlobInfo> stream(Collection<String> prefixes, int parallelism);

    /**
     * Lists one level of a hierarchy that the names make: the blobs whose names begin with the prefix and have no delimiter after that, and the common
     * beginnings of the others. Close the stream if it is not read to its end.
     *
     * @param prefix the beginning, may be empty
     * @param delimiter what separates levels, as a rule {@code /}
     * @return the level in the order of names
     */
    Stream<BlobTree.Entry> entries(String prefix, String delimiter);

    /**
     * Returns the blobs below a beginning as a tree, whose levels a slash separates. Nothing is read yet.
     *
     * @param prefix what the names begin with, such as {@code 2026/}; empty for the whole container
     * @return the tree
     */
    default BlobTree tree(String prefix) {
        return tree(prefix, "/");
    }

    /**
     * Returns the blobs below a beginning as a tree. Nothing is read yet.
     *
     * @param prefix what the names begin with, as a rule with the delimiter at its end; empty for the whole container
     * @param delimiter what separates levels
     * @return the tree
     * @throws IllegalArgumentException if the delimiter is empty
     */
    BlobTree tree(String prefix, String delimiter);

    /**
     * Walks the tree of the blobs below a beginning; see {@link BlobTree#walk(Predicate)}.
     *
     * @param prefix what the names begin with, as a rule with the delimiter at its end; empty for the whole container
     * @param delimiter what separates levels
     * @param into whether to walk into a folder
     * @return blobs and folders, depth first, levels in the order of names; close it unless it is read to its end
     */
    default Stream<BlobTree.Entry> walk(String prefix, String delimiter, Predicate<BlobTree.Entry> into) {
        return tree(prefix, delimiter).walk(into);
    }

    /**
     * Deletes many blobs, whatever their versions, in groups of 256 to a request. One that fails does not keep the others from being
     * deleted. Where a response was lost and a blob is gone, it counts as deleted. Folders of an account with a hierarchical namespace that
     * are among the names are deleted after what lies in them.
     *
     * @param names the blobs, of which some may be missing
     * @return the end of each, in the order of the names: {@code DELETED}, {@code SKIPPED} if there was none, or {@code FAILED} with its
     *     error, such as a {@link ConflictException} for a blob with snapshots, or an {@link io.stowline.error.OutcomeUnknownException} for one that may
     *     have been deleted
     * @throws NotFoundException if the container is not there
     */
    List<TransferReport.Item> deleteAll(Collection<String> names);

    /**
     * Deletes many blobs with all their snapshots; see {@link #deleteAll}. Kept versions stay.
     *
     * @param names the blobs, of which some may be missing
     * @return the end of each, in the order of the names: {@code DELETED}, {@code SKIPPED} if there was none, or {@code FAILED} with its
     *     error
     * @throws NotFoundException if the container is not there
     */
    List<TransferReport.Item> deleteAllWithSnapshots(Collection<String> names);

    /**
     * Moves many blobs to another access tier, in groups of 256 to a request. One that fails does not keep the others from being moved.
     *
     * @param names the blobs
     * @param tier such as {@link AccessTier#COOL}
     * @return the end of each, in the order of the names: {@code MOVED}, or {@code FAILED} with its error, such as an
     *     {@link io.stowline.error.OutcomeUnknownException} for one that may have been moved
     * @throws NotFoundException if the container is not there
     */
    List<TransferReport.Item> setTierOfAll(Collection<String> names, AccessTier tier);

    /**
     * Keeps the present state of a blob as a snapshot. After a lost response there may be two of them.
     *
     * @param name the blob's name
     * @return the snapshot
     * @throws NotFoundException if there is no blob
     */
    BlobRevision snapshot(String name);

    /**
     * Returns a snapshot by its id. Nothing is sent.
     *
     * @param name the blob's name
     * @param id the id, as {@link BlobRevision#id} gives it
     * @return the snapshot, which need not exist
     * @throws IllegalArgumentException if the id is empty
     */
    BlobRevision snapshotOf(String name, String id);

    /**
     * Returns a version by its id. Nothing is sent.
     *
     * @param name the blob's name
     * @param id the id, as {@link BlobRevision#id} and {@link BlobInfo#versionId} give it
     * @return the version, which need not exist
     * @throws IllegalArgumentException if the id is empty
     */
    BlobRevision versionOf(String name, String id);

    /**
     * Returns the snapshots and versions of a blob, deleted ones that are still kept included, fetched as they are read. Close the stream
     * if it is not read to its end.
     *
     * @param name the blob's name
     * @return the revisions, the oldest first; none of a blob without snapshots in an account without versions
     */
    Stream<BlobRevision> revisions(String name);

    /**
     * Removes a blob and all its snapshots. Versions stay. Where a response was lost and it is gone, that is success.
     *
     * @param name the blob's name
     * @return its result
     * @throws NotFoundException if there is none
     */
    WriteResult deleteWithSnapshots(String name);

    /**
     * Removes all snapshots of a blob, which stays.
     *
     * @param name the blob's name
     * @return its result
     * @throws NotFoundException if there is no blob
     */
    WriteResult deleteSnapshots(String name);

    /**
     * Brings back a blob and its snapshots that were deleted and are still kept. In an account with versions, promote a version in place
     * of this.
     *
     * @param name the blob's name
     * @throws NotFoundException if nothing is kept of it
     */
    void undelete(String name);

    /**
     * Uploads the files of a folder and of all folders in it. The transfer runs at once; {@link Transfer#join} waits for its end.
     *
     * <p>A file {@code a/b.jpg} of the folder becomes the blob {@code prefix/a/b.jpg}. Symbolic links are not followed: they are skipped and
     * counted. Files whose names begin with {@code .stowline-} are left out. A file that vanishes or changes while it is read is a failure of
     * that file, and so is a name that the service does not keep: one with a backslash, a control character, or a dot at the end of a
     * segment.
     *
     * <p>With {@code IF_DIFFERENT} a run after an interrupted one transfers what is missing: the listing shows what is there, and no state is
     * kept elsewhere. A blob that is replaced is replaced in the version that was compared. Memory does not grow with the number of files.
     *
     * @param directory the folder
     * @param prefix what the names of the blobs begin with, such as {@code 2026/}; a slash at its end is added; empty for none
     * @param settings changes the default settings
     * @return the transfer, which runs
     * @throws IllegalArgumentException if a setting is out of range
     */
    Transfer uploadDirectory(Path directory, String prefix, UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Downloads the blobs below a prefix to a folder. The transfer runs at once; {@link Transfer#join} waits for its end.
     *
     * <p>A blob {@code prefix/a/b.jpg} becomes the file {@code a/b.jpg} of the folder, written as by {@link #downloadTo(String, Path)}. It
     * gets the time of the file that the blob was made of, or else of the blob. A name that leads out of the folder is a failure of that
     * blob, and so is one that has no form on this system, whose file is reached through a symbolic link, or whose file is that of a blob
     * with a name in other case. Empty blobs that stand for folders are skipped and counted, and so is a blob {@code prefix/a} beside
     * {@code prefix/a/b.jpg}, which needs a folder in the place of its file.
     *
     * @param prefix what the names of the blobs begin with; a slash at its end is added; empty for the whole container
     * @param directory the folder, made if it is missing
     * @param settings changes the default settings
     * @return the transfer, which runs
     * @throws IllegalArgumentException if a setting is out of range
     */
    Transfer downloadDirectory(String prefix, Path directory, UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Copies a blob of another container, or of this one, here; see {@link #copyFrom(BlobContainer, String, String, UnaryOperator)}. A blob
     * of that name is a conflict.
     *
     * @param source the container of the source, of this account or another one
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @return its result
     * @throws io.stowline.error.ConflictException if a blob of this name exists
     */
    default BlobWriteResult copyFrom(BlobContainer source, String sourceName, String name) {
        return copyFrom(source, sourceName, name, settings -> settings);
    }

    /**
     * Copies a blob of another container, or of this one, here. The service moves the content, none of which travels through this client.
     *
     * <p>One version of the source is copied, with its headers and metadata: the call fails if the source changes before its end. The copy appears
     * whole, or not at all; a blob that is replaced stays as it is until then. The client of the source gives the service access to this one blob for
     * some minutes. Blocks of a large copy that did not end stay for a week, and the same copy goes on with them.
     *
     * @param source the container of the source, of this account or another one
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @param settings changes the default settings
     * @return its result
     * @throws io.stowline.error.ConflictException if a blob of this name exists, and no setting lets it be replaced
     * @throws io.stowline.error.NotFoundException if there is no source
     * @throws io.stowline.error.PreconditionFailedException if the source changes, or a condition of the settings is not met
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and the outcome could not be found
     * @throws IllegalArgumentException if a setting is out of range, or the source is not a container of this library
     */
    BlobWriteResult copyFrom(
            BlobContainer source, String sourceName, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Copies what is at an address here; see {@link #copyFrom(URI, String, UnaryOperator)}. A blob of that name is a conflict.
     *
     * @param source the address, with a signature unless everyone may read it
     * @param name the name of the copy
     * @return its result
     * @throws io.stowline.error.ConflictException if a blob of this name exists
     */
    default BlobWriteResult copyFrom(URI source, String name) {
        return copyFrom(source, name, settings -> settings);
    }

    /**
     * Copies what is at an address here, as {@link #copyFrom(BlobContainer, String, String, UnaryOperator)} copies a blob. This client requests
     * version and length from the address, without any other proof; the service reads the content.
     *
     * @param source the address, with a signature unless everyone may read it; it is shown without its query
     * @param name the name of the copy
     * @param settings changes the default settings
     * @return its result
     * @throws io.stowline.error.ConflictException if a blob of this name exists, and no setting lets it be replaced
     * @throws io.stowline.error.PreconditionFailedException if the source changes, or a condition of the settings is not met
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and the outcome could not be found
     * @throws IllegalArgumentException if a setting is out of range, or the address is not one of HTTP
     */
    BlobWriteResult copyFrom(URI source, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Starts a copy of a blob here; see {@link #startCopy(BlobContainer, String, String, UnaryOperator)}.
     *
     * @param source the container of the source, of this account or another one
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @return the copy, which the service makes
     */
    default BlobCopy startCopy(BlobContainer source, String sourceName, String name) {
        return startCopy(source, sourceName, name, settings -> settings);
    }

    /**
     * Starts a copy of a blob here that the service makes on its own schedule, for sources that take longer than a request may. The target is there at
     * once and is empty until the copy ends, so that it must be a new blob; {@link #copyFrom(BlobContainer, String, String, UnaryOperator)} has none of this.
     *
     * @param source the container of the source, of this account or another one
     * @param sourceName the name of the source
     * @param name the name of the copy
     * @param settings changes the default settings: {@code sourceIfMatch}, {@code metadata}, {@code tags} and {@code tier}
     * @return the copy, which the service makes
     * @throws io.stowline.error.ConflictException if a blob of this name exists
     * @throws io.stowline.error.NotFoundException if there is no source
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and the outcome could not be found
     * @throws IllegalArgumentException if a setting is not for a new blob, or the source is not a container of this library
     */
    BlobCopy startCopy(
            BlobContainer source, String sourceName, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Starts a copy of what is at an address here; see {@link #startCopy(BlobContainer, String, String, UnaryOperator)}.
     *
     * @param source the address, with a signature that lasts until the copy ends, unless everyone may read it
     * @param name the name of the copy
     * @param settings changes the default settings
     * @return the copy, which the service makes
     */
    BlobCopy startCopy(URI source, String name, UnaryOperator<CopySettings.Builder> settings);

    /**
     * Returns a copy that was started before, such as by another process. Nothing is sent.
     *
     * @param name the name of the target
     * @param id the id of the copy
     * @return the copy
     * @throws IllegalArgumentException if the id is empty
     */
    BlobCopy pendingCopy(String name, String id);

    /**
     * Copies the blobs below a prefix to another one, by the service where both sides allow it, else through this client. The transfer runs at
     * once; {@link Transfer#join} waits for its end. Each blob is copied in one version, and keeps its headers and metadata. A copy is a block blob without tags, in the default tier.
     *
     * @param prefix what the names of the blobs begin with; a slash at its end is added; empty for the whole container
     * @param target the container of the copies, of this account or another one
     * @param newPrefix what the names of the copies begin with; a slash at its end is added; empty for none
     * @param settings changes the default settings
     * @return the transfer, which runs
     * @throws IllegalArgumentException if one directory lies in the other, a setting is out of range, or the target is not a container
     *     of this library
     */
    Transfer copyDirectory(
            String prefix, BlobContainer target, String newPrefix, UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Returns this container as the source of copies of its hot blobs in others; see {@link #replicas(List, UnaryOperator)}.
     *
     * @param others the containers of the copies, often of other accounts
     * @return the copies; making them costs nothing
     */
    default BlobReplicas replicas(List<BlobContainer> others) {
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
    BlobReplicas replicas(List<BlobContainer> others, UnaryOperator<ReplicaSettings.Builder> settings);

    /**
     * Deletes the blobs below a prefix, whatever their versions, in groups of 256 to a request. The transfer runs at once;
     * {@link Transfer#join} waits for its end. When it fails or is cancelled, other blobs of the groups in flight may be deleted. A folder of
     * an account with a hierarchical namespace is deleted after what lies in it. Blobs with snapshots or a lease, and folders in which something stays, are skipped.
     *
     * @param prefix what the names of the blobs begin with; a slash at its end is added
     * @param settings changes the default settings
     * @return the transfer, which runs
     * @throws IllegalArgumentException if the prefix is empty and no {@code include} means all blobs, or {@code mirror} is set
     */
    Transfer deleteDirectory(String prefix, UnaryOperator<DirectorySettings.Builder> settings);

    /**
     * Returns a blob that is written at its end only, such as a log.
     *
     * @param name the blob's name
     * @return the blob, which need not exist yet
     */
    AppendBlob appendBlob(String name);

    /**
     * Returns a blob whose pages are written at any position, such as a disk.
     *
     * @param name the blob's name
     * @return the blob, which need not exist yet
     */
    PageBlob pageBlob(String name);

    /**
     * Returns a cached view that reads this container without a request each time.
     *
     * @param freshness for how long what was read counts as the present state, and what may be given after that
     * @return the cached reads; making them costs nothing
     */
    CachedContainer cached(Freshness freshness);
}
