package io.stowline.blob;

import io.stowline.outcome.WriteResult;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link PageBlob}. Nothing is sent before a subscription. Results arrive on the callback threads.
 *
 * <p>Thread-safe. Failures are those of {@link PageBlob}.
 */
public interface ReactivePageBlob {

    /**
     * Returns the blob's name.
     *
     * @return the name
     */
    String name();

    /**
     * Returns a view whose writes have a condition; see {@link PageBlob#ifSequenceNumberLessOrEqual}.
     *
     * @param number the largest number, not negative
     * @return the view
     */
    ReactivePageBlob ifSequenceNumberLessOrEqual(long number);

    /**
     * Returns a view whose writes have a condition; see {@link PageBlob#ifSequenceNumberLess}.
     *
     * @param number the number, not negative
     * @return the view
     */
    ReactivePageBlob ifSequenceNumberLess(long number);

    /**
     * Returns a view whose writes have a condition; see {@link PageBlob#ifSequenceNumberEqual}.
     *
     * @param number the number, not negative
     * @return the view
     */
    ReactivePageBlob ifSequenceNumberEqual(long number);

    /**
     * Creates the blob, all zeros; see {@link PageBlob#create(long)}.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @return the end of it
     */
    default Mono<Void> create(long size) {
        return create(size, with -> with);
    }

    /**
     * Creates the blob, all zeros; see {@link PageBlob#create(long, UnaryOperator)}.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @param settings changes the default settings
     * @return the end of it
     */
    Mono<Void> create(long size, UnaryOperator<PageBlobSettings.Builder> settings);

    /**
     * Creates the blob unless there is one; see {@link PageBlob#createIfMissing(long)}.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @return whether it was made
     */
    default Mono<Boolean> createIfMissing(long size) {
        return createIfMissing(size, with -> with);
    }

    /**
     * Creates the blob unless there is one; see {@link PageBlob#createIfMissing(long, UnaryOperator)}.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @param settings changes the default settings
     * @return whether it was made
     */
    Mono<Boolean> createIfMissing(long size, UnaryOperator<PageBlobSettings.Builder> settings);

    /**
     * Reads the blob's properties; see {@link PageBlob#info}.
     *
     * @return its properties
     */
    Mono<PageBlobInfo> info();

    /**
     * Writes bytes; see {@link PageBlob#write}.
     *
     * @param offset where they begin, a multiple of 512
     * @param bytes the bytes, a multiple of 512, which must not change until the end
     * @return its result
     */
    Mono<WriteResult> write(long offset, byte[] bytes);

    /**
     * Clears pages; see {@link PageBlob#clear}.
     *
     * @param offset where they begin, a multiple of 512
     * @param length how many bytes, a multiple of 512
     * @return its result
     */
    Mono<WriteResult> clear(long offset, long length);

    /**
     * Reads bytes of one version; see {@link PageBlob#read}.
     *
     * @param offset where they begin
     * @param length how many, 0 or more; 0 shows only that the blob is there
     * @return the bytes
     */
    Mono<byte[]> read(long offset, int length);

    /**
     * Changes the size; see {@link PageBlob#resize}.
     *
     * @param size its bytes, a multiple of 512, at most 8 TiB
     * @return its result
     */
    Mono<WriteResult> resize(long size);

    /**
     * Sets the sequence number; see {@link PageBlob#setSequenceNumber}.
     *
     * @param number the number, not negative
     * @return its result
     */
    Mono<WriteResult> setSequenceNumber(long number);

    /**
     * Sets the sequence number unless it is larger; see {@link PageBlob#raiseSequenceNumber}.
     *
     * @param number the number, not negative
     * @return its result
     */
    Mono<WriteResult> raiseSequenceNumber(long number);

    /**
     * Lists the ranges that are in use; see {@link PageBlob#ranges}.
     *
     * @return the ranges in their order
     */
    Flux<PageRange> ranges();

    /**
     * Uploads a file with the default settings; see {@link PageBlob#upload(Path)}.
     *
     * @param file the file, of a multiple of 512 bytes
     * @return the blob and how much was sent
     */
    default Mono<PageBlobSettings.FileUpload> upload(Path file) {
        return upload(file, with -> with);
    }

    /**
     * Uploads a file without its zeros; see {@link PageBlob#upload(Path, UnaryOperator)}.
     *
     * @param file the file, of a multiple of 512 bytes
     * @param settings changes the default settings
     * @return the blob and how much was sent
     */
    Mono<PageBlobSettings.FileUpload> upload(Path file, UnaryOperator<PageBlobSettings.Builder> settings);

    /**
     * Downloads the blob to a file; see {@link PageBlob#downloadTo(Path)}.
     *
     * @param target the file, replaced if it is there
     * @return the blob and how much an earlier download had written
     */
    default Mono<DownloadSettings.FileDownload> downloadTo(Path target) {
        return downloadTo(target, with -> with.rangeSize(1 << 20));
    }

    /**
     * Downloads the blob to a file; see {@link PageBlob#downloadTo(Path, UnaryOperator)}.
     *
     * @param target the file, replaced if it is there
     * @param settings changes the default settings
     * @return the blob and how much an earlier download had written
     */
    Mono<DownloadSettings.FileDownload> downloadTo(Path target, UnaryOperator<DownloadSettings.Builder> settings);
}
