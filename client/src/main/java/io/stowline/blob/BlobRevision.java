package io.stowline.blob;

import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteResult;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A state of a blob that was kept: a snapshot, which a client has taken, or a version, which the service keeps of every write where the
 * account is configured for it. It does not change, and is read like a blob.
 *
 * <pre>{@code
 * BlobRevision before = photos.snapshot("report.csv");
 * photos.upload(path, "report.csv", with -> with.overwrite());
 * before.downloadTo(Path.of("old.csv"));
 * before.promote();
 * before.delete();
 * }</pre>
 *
 * <p>What the reads throw is what those of {@link BlobContainer} throw. {@link #reactive()} has the same verbs without blocking.
 *
 * <p>Immutable and safe to share between threads.
 */
public interface BlobRevision {

    /**
     * Returns the name of the blob.
     *
     * @return its name in the container
     */
    String name();

    /**
     * Returns the id that the service gave, by which {@link BlobContainer#snapshotOf} or {@link BlobContainer#versionOf} finds it again.
     *
     * @return the time at which it was kept, in the service's form
     */
    String id();

    /**
     * Returns whether it is a snapshot, which a client has taken.
     *
     * @return false of a version, which the service keeps of a write
     */
    boolean isSnapshot();

    /**
     * Begins a signature that opens this state of the blob for others.
     *
     * @return its builder
     */
    BlobSasBuilder<SharedAccessSignature> sas();

    /**
     * Returns the facts that a listing gave.
     *
     * @return the facts; empty of a revision that no listing gave
     */
    Optional<BlobInfo> listed();

    /**
     * Returns whether a listing gave it as the version that is the present state of the blob.
     *
     * @return true if it is current
     */
    boolean current();

    /**
     * Returns whether a listing gave it as deleted: it is kept for the account's time, and {@link BlobContainer#undelete} brings it back.
     *
     * @return true if it is deleted
     */
    boolean deleted();

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this revision
     */
    ReactiveBlobRevision reactive();

    /**
     * Returns the properties.
     *
     * @return its facts
     * @throws NotFoundException if it is not there
     */
    BlobInfo info();

    /**
     * Returns the tags.
     *
     * @return names and values
     * @throws NotFoundException if it is not there
     */
    Map<String, String> tags();

    /**
     * Reads the content into memory, at most 64 MiB.
     *
     * @return the content
     * @throws NotFoundException if it is not there
     */
    default byte[] download() {
        return download(with -> with);
    }

    /**
     * Reads the content, or a part of it, into memory.
     *
     * @param settings sets what differs from the defaults
     * @return the content
     * @throws NotFoundException if it is not there
     */
    byte[] download(UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads the content into a file; see {@link BlobContainer#downloadTo(String, Path)}.
     *
     * @param target the file, replaced if it is there
     * @return the blob that was read
     * @throws NotFoundException if it is not there
     */
    default BlobInfo downloadTo(Path target) {
        return downloadTo(target, with -> with).blob();
    }

    /**
     * Reads the content into a file; see {@link BlobContainer#downloadTo(String, Path, UnaryOperator)}.
     *
     * @param target the file, replaced if it is there
     * @param settings sets what differs from the defaults
     * @return the blob that was read, and what was resumed
     * @throws NotFoundException if it is not there
     */
    DownloadSettings.FileDownload downloadTo(Path target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads the content into a stream; see {@link BlobContainer#downloadTo(String, OutputStream)}.
     *
     * @param target the stream, flushed and not closed
     * @return the blob that was read
     * @throws NotFoundException if it is not there
     */
    BlobInfo downloadTo(OutputStream target);

    /**
     * Opens the content for reading at the reader's pace; see {@link BlobContainer#open(String)}.
     *
     * @return the content; close it unless it was read to its end
     * @throws NotFoundException if it is not there
     */
    InputStream open();

    /**
     * Opens the content for reading at any position; see {@link BlobContainer#channel(String)}.
     *
     * @return the channel, at position 0; close it
     * @throws NotFoundException if it is not there
     * @throws IllegalStateException if it has the {@code Content-Encoding} {@code gzip}
     */
    default SeekableByteChannel channel() {
        return channel(with -> with);
    }

    /**
     * Opens the content for reading at any position; see {@link BlobContainer#channel(String, UnaryOperator)}.
     *
     * @param settings sets what differs from the defaults
     * @return the channel, at position 0; close it
     * @throws NotFoundException if it is not there
     * @throws IllegalArgumentException if the settings have a range
     */
    SeekableByteChannel channel(UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Makes it the present state of its blob, whatever that is: content, headers and metadata are copied by the service. If that fails, the
     * present state of a block blob stays as it was. The service copies append, page and archived blobs in place: their present state may
     * be empty after a failure, and after a lost response the copy may be made twice.
     *
     * @throws NotFoundException if it is not there
     * @throws ConflictException if a copy to the blob is pending
     */
    void promote();

    /**
     * Removes it. Where a response was lost and it is gone, that is success.
     *
     * @return its result
     * @throws NotFoundException if it is not there
     */
    WriteResult delete();
}
