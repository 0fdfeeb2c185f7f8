package io.stowline.blob;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteResult;
import java.io.UncheckedIOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A blob of a fixed size whose pages of 512 bytes are written and cleared at any position, such as a disk. Pages that were never written
 * are zeros and cost nothing.
 *
 * <pre>{@code
 * PageBlob disk = storage.container("disks").pageBlob("disk.vhd");
 * disk.create(1L << 30);
 * disk.write(4096, bytes);
 * byte[] same = disk.read(4096, bytes.length);
 * disk.clear(4096, bytes.length);
 * }</pre>
 *
 * <p>A write takes effect when the service responds; there is no commit. Offsets, lengths and sizes are multiples of 512: another value is
 * an {@link IllegalArgumentException} before anything is sent.
 *
 * <p><b>Lost responses.</b> A write or clear is sent again, since it has the same effect twice. If no response comes, the pages are read
 * back and compared: equal ones are {@link io.stowline.outcome.WriteOutcome#RECOVERED} by {@link io.stowline.outcome.Evidence#CONTENT}.
 * Others prove that the write was not carried out only if the blob was last written before it; otherwise the outcome is an
 * {@link OutcomeUnknownException}.
 *
 * <p><b>Several writers.</b> The service compares the sequence number of the blob in the same step as it writes. A writer that raises it
 * with {@link #raiseSequenceNumber} and writes through {@link #ifSequenceNumberEqual} shuts out all writers before it.
 *
 * <p>Thread-safe. Writes of two threads to the same pages have no order.
 */
public interface PageBlob {

    /**
     * Returns the blob's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this blob
     */
    ReactivePageBlob reactive();

    /**
     * Returns a view whose writes and clears are carried out only while the sequence number is at most this one.
     *
     * @param number the largest number, not negative
     * @return the view; a write that does not meet it is a {@link PreconditionFailedException}
     * @throws IllegalArgumentException if it is negative
     */
    PageBlob ifSequenceNumberLessOrEqual(long number);

    /**
     * Returns a view whose writes and clears are carried out only while the sequence number is less than this one.
     *
     * @param number the number, not negative
     * @return the view; a write that does not meet it is a {@link PreconditionFailedException}
     * @throws IllegalArgumentException if it is negative
     */
    PageBlob ifSequenceNumberLess(long number);

    /**
     * Returns a view whose writes and clears are carried out only while the sequence number is this one.
     *
     * @param number the number, not negative
     * @return the view; a write that does not meet it is a {@link PreconditionFailedException}
     * @throws IllegalArgumentException if it is negative
     */
    PageBlob ifSequenceNumberEqual(long number);

    /**
     * Creates the blob, all zeros.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @throws ConflictException if there is a blob of this name
     * @throws OutcomeUnknownException if a response was lost and the service does not show which client created the existing one
     */
    default void create(long size) {
        create(size, with -> with);
    }

    /**
     * Creates the blob, all zeros. The call leaves a marker in the blob's metadata, which is not shown, and recognises it after a lost
     * response. The call may then wait up to 35 s more, within its deadline.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @param settings changes the default settings
     * @throws ConflictException if there is a blob of this name, unless {@code overwrite} is set
     * @throws PreconditionFailedException if a blob that is to be replaced changes in between
     * @throws OutcomeUnknownException if a response was lost and the service does not show which client created the existing one
     */
    void create(long size, UnaryOperator<PageBlobSettings.Builder> settings);

    /**
     * Creates the blob, all zeros, unless there is a blob of this name.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @return whether it was made; after a lost response also false where the blob is there and its marker cannot be found
     * @throws ConflictException if there is a blob of another type
     */
    default boolean createIfMissing(long size) {
        return createIfMissing(size, with -> with);
    }

    /**
     * Creates the blob, all zeros, unless there is a blob of this name, whose size, headers and metadata stay as they are.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @param settings changes the default settings; {@code overwrite} is not allowed
     * @return whether it was made; after a lost response also false where the blob is there and its marker cannot be found
     * @throws ConflictException if there is a blob of another type
     */
    boolean createIfMissing(long size, UnaryOperator<PageBlobSettings.Builder> settings);

    /**
     * Reads the blob's properties.
     *
     * @return its properties
     * @throws NotFoundException if there is none
     */
    PageBlobInfo info();

    /**
     * Writes bytes. More than 4 MiB travel in pieces of 4 MiB, 4 at a time: if one of them fails, others may have been written, and the
     * result has no ETag.
     *
     * @param offset where they begin, a multiple of 512
     * @param bytes the bytes, a multiple of 512 and at least 512, not copied: they must not change until the end
     * @return its result
     * @throws IllegalArgumentException if offset or length is no multiple of 512
     * @throws NotFoundException if the blob is not there
     * @throws io.stowline.error.BadRequestException if the bytes end behind the blob
     * @throws PreconditionFailedException if the sequence number is not as this view requires it
     * @throws OutcomeUnknownException if a response was lost and it is unknown whether the bytes were written
     */
    WriteResult write(long offset, byte[] bytes);

    /**
     * Clears pages: they are zeros then, and not in use.
     *
     * @param offset where they begin, a multiple of 512
     * @param length how many bytes, a multiple of 512, at least 512; one request clears any number
     * @return its result
     * @throws IllegalArgumentException if offset or length is no multiple of 512
     * @throws NotFoundException if the blob is not there
     * @throws io.stowline.error.BadRequestException if the pages end behind the blob
     * @throws PreconditionFailedException if the sequence number is not as this view requires it
     * @throws OutcomeUnknownException if a response was lost and it is unknown whether the pages were cleared
     */
    WriteResult clear(long offset, long length);

    /**
     * Reads bytes of one version into memory, as {@link BlobContainer#download(String)} does; they need not be aligned. They are the
     * stored ones, whatever the {@code Content-Encoding}.
     *
     * @param offset where they begin
     * @param length how many, 0 or more; 0 shows only that the blob is there
     * @return the bytes; fewer if the blob ends before
     * @throws NotFoundException if the blob is not there
     */
    byte[] read(long offset, int length);

    /**
     * Changes the size. What lies behind a smaller one is lost, and what a larger one adds is zeros.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @return its result
     * @throws NotFoundException if the blob is not there
     * @throws OutcomeUnknownException if a response was lost and it is unknown whether the size was changed
     */
    WriteResult resize(long size);

    /**
     * Sets the sequence number, whatever it was.
     *
     * @param number the number, not negative
     * @return its result
     * @throws NotFoundException if the blob is not there
     * @throws OutcomeUnknownException if a response was lost and it is unknown whether the number was set
     */
    WriteResult setSequenceNumber(long number);

    /**
     * Sets the sequence number unless it is larger already.
     *
     * @param number the number, not negative
     * @return its result; also where the number was larger
     * @throws NotFoundException if the blob is not there
     * @throws OutcomeUnknownException if a response was lost and it is unknown whether the number was raised
     */
    WriteResult raiseSequenceNumber(long number);

    /**
     * Lists the ranges that are in use: written and not cleared since. All others are zeros. Pages of the listing are read as the stream is;
     * they are not of one version while others write.
     *
     * @return the ranges in their order; close it
     * @throws NotFoundException if the blob is not there
     */
    Stream<PageRange> ranges();

    /**
     * Uploads a file with the default settings.
     *
     * @param file the file, of a multiple of 512 bytes
     * @return the blob and how much was sent
     * @throws ConflictException if there is another blob of this name
     * @throws UncheckedIOException if the file cannot be read, or changes in between
     */
    default PageBlobSettings.FileUpload upload(Path file) {
        return upload(file, with -> with);
    }

    /**
     * Uploads a file, without its zeros: only pages with data, and short gaps between them, are sent. The blob has its whole size from the
     * beginning. Until the end it has {@code stowlineunfinished} in its metadata: an upload of the same file, unchanged since, goes on
     * where this one stood, in any process and on any machine that has the file, and sends nothing that is in use already.
     *
     * @param file the file, of a multiple of 512 bytes
     * @param settings changes the default settings
     * @return the blob and how much was sent
     * @throws ConflictException if there is another blob of this name, unless {@code overwrite} is set, or another upload replaces it
     * @throws UncheckedIOException if the file cannot be read, or changes in between
     * @throws IllegalArgumentException if its length is no multiple of 512
     */
    PageBlobSettings.FileUpload upload(Path file, UnaryOperator<PageBlobSettings.Builder> settings);

    /**
     * Downloads the blob to a file with the default settings, in ranges of 1 MiB.
     *
     * @param target the file, replaced if it is there
     * @return the blob and how much an earlier download had written
     * @throws NotFoundException if the blob is not there
     * @throws UncheckedIOException if the file cannot be written
     */
    default DownloadSettings.FileDownload downloadTo(Path target) {
        return downloadTo(target, with -> with.rangeSize(1 << 20));
    }

    /**
     * Downloads the blob to a file as {@link BlobContainer#downloadTo(String, Path)} does, without the ranges that are not in use: they
     * become holes of the file where the file system has them. The file has the stored bytes, whatever the {@code Content-Encoding}.
     *
     * @param target the file, replaced if it is there
     * @param settings changes the default settings
     * @return the blob and how much an earlier download had written
     * @throws NotFoundException if the blob is not there
     * @throws UncheckedIOException if the file cannot be written
     */
    DownloadSettings.FileDownload downloadTo(Path target, UnaryOperator<DownloadSettings.Builder> settings);

    /**
     * Opens the blob for reading and writing at any position. Bytes need not be aligned: a page that is written in part is read first. At
     * most 4 MiB wait to be sent; the close sends them and waits for them.
     *
     * <p>A write that fails behind the caller's back is the exception of the next call, and of each one after it. The close throws it only if no
     * call before has thrown it. The windows do not count as memory of the transfers. Writes behind the blob's
     * end are an {@link java.io.IOException}. Made for one writer: a page that another one changes between its reading and its writing is
     * lost. An interrupt ends a wait and leaves the channel open. The channel is thread-safe, one call at a time.
     *
     * @return the channel, at position 0; close it
     * @throws NotFoundException if the blob is not there
     */
    SeekableByteChannel channel();
}
