package io.stowline.ring;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.UploadSettings;
import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteResult;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A container that exists in all accounts of a region, each with the blobs whose placements it has.
 *
 * <pre>{@code
 * RingContainer pictures = ring.container("pictures");
 * pictures.createIfMissing();
 * pictures.upload(path, "2026/a.jpg");
 * pictures.stream("2026/").forEach(blob -> System.out.println(blob.name()));
 * }</pre>
 *
 * <p>Each verb that has a name goes to the account of the blob, and is that of {@link BlobContainer}; {@link #containerOf} has all others.
 *
 * <p>While an account joins or leaves, each blob is read and written where it is; {@link RingMove#container} brings it to its new account.
 * A stream of {@link #open} ends with a {@link io.stowline.error.PreconditionFailedException} if its blob moves. An upload of a stream that
 * meets the move of its blob is an {@link io.stowline.error.OutcomeUnknownException}, since it cannot be sent again.
 *
 * <p>Thread-safe; blocks, and works on platform and virtual threads.
 */
public interface RingContainer {

    /**
     * Returns the container's name.
     *
     * @return the name, the same in all accounts
     */
    String name();

    /**
     * Returns the account of a blob.
     *
     * @param blob the blob's name
     * @return the name of the account in the ring
     */
    String accountOf(String blob);

    /**
     * Returns the container of the account of a blob: for what is not offered here.
     *
     * @param blob the blob's name
     * @return the container
     * @throws IllegalStateException if an account joins or leaves, so that the blob may move
     */
    BlobContainer containerOf(String blob);

    /**
     * Creates the container in each account where it does not exist.
     *
     * @return whether any was made
     */
    boolean createIfMissing();

    /**
     * Returns whether the container exists in all accounts.
     *
     * @return whether it does
     */
    boolean exists();

    /**
     * Removes the container with all its blobs from all accounts.
     *
     * @return whether it was there in any
     */
    boolean dropIfExists();

    /**
     * Uploads a file; there must be no blob of this name yet.
     *
     * @param file the file
     * @param name the blob's name
     * @return what was written
     * @throws io.stowline.error.ConflictException if there is a blob of this name
     */
    default BlobWriteResult upload(Path file, String name) {
        return upload(file, name, settings -> settings);
    }

    /**
     * Uploads a file; see {@link BlobContainer#upload(Path, String, UnaryOperator)}.
     *
     * @param file the file
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     */
    BlobWriteResult upload(Path file, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Uploads bytes; there must be no blob of this name yet.
     *
     * @param content the bytes, not copied: they must not change until the end
     * @param name the blob's name
     * @return what was written
     * @throws io.stowline.error.ConflictException if there is a blob of this name
     */
    default BlobWriteResult upload(byte[] content, String name) {
        return upload(content, name, settings -> settings);
    }

    /**
     * Uploads bytes; see {@link BlobContainer#upload(byte[], String, UnaryOperator)}.
     *
     * @param content the bytes, not copied: they must not change until the end
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     */
    BlobWriteResult upload(byte[] content, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Uploads a stream; there must be no blob of this name yet.
     *
     * @param content the stream
     * @param name the blob's name
     * @return what was written
     * @throws io.stowline.error.ConflictException if there is a blob of this name
     */
    default BlobWriteResult upload(InputStream content, String name) {
        return upload(content, name, settings -> settings);
    }

    /**
     * Uploads a stream; see {@link BlobContainer#upload(InputStream, String, UnaryOperator)}.
     *
     * @param content the stream
     * @param name the blob's name
     * @param settings changes the default settings
     * @return what was written
     */
    BlobWriteResult upload(InputStream content, String name, UnaryOperator<UploadSettings.Builder> settings);

    /**
     * Reads a small blob into memory, at most 64 MiB.
     *
     * @param name the blob's name
     * @return its content
     * @throws NotFoundException if there is none
     */
    default byte[] download(String name) {
        return download(name, settings -> settings);
    }

    /**
     * Reads a blob, or a part of it, into memory; see {@link BlobContainer#download(String, UnaryOperator)}.
     *
     * @param name the blob's name
     * @param settings sets what differs from the defaults
     * @return its content
     * @throws NotFoundException if there is none
     */
    byte[] download(String name, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Reads a blob into a file, which appears complete; see {@link BlobContainer#downloadTo(String, Path)}.
     *
     * @param name the blob's name
     * @param target the file, replaced if it is there
     * @return the blob that was read
     * @throws NotFoundException if there is none
     */
    BlobInfo downloadTo(String name, Path target);

    /**
     * Opens a blob as a stream; see {@link BlobContainer#open(String)}.
     *
     * @param name the blob's name
     * @return its content; close it
     * @throws NotFoundException if there is none
     */
    InputStream open(String name);

    /**
     * Returns the facts of a blob.
     *
     * @param name the blob's name
     * @return the facts, if there is one
     */
    Optional<BlobInfo> find(String name);

    /**
     * Removes a blob; see {@link BlobContainer#delete(String)}.
     *
     * @param name the blob's name
     * @return that it is gone
     * @throws NotFoundException if there is none
     */
    WriteResult delete(String name);

    /**
     * Removes a blob if it is there.
     *
     * @param name the blob's name
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    boolean deleteIfExists(String name);

    /**
     * Lists all blobs of all accounts in the order of their names; see {@link #stream(String)}.
     *
     * @return the blobs, requested as they are read
     */
    default Stream<BlobInfo> stream() {
        return stream("");
    }

    /**
     * Lists the blobs of all accounts whose names begin with a prefix, in the order of their names. Close the stream if it is not read to
     * its end.
     *
     * @param prefix the beginning of their names; empty for all
     * @return the blobs, requested as they are read
     */
    Stream<BlobInfo> stream(String prefix);
}
