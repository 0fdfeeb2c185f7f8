package io.stowline.records;

import io.stowline.error.StorageException;
import io.stowline.table.FlushReport;
import java.util.List;
import java.util.Optional;

/**
 * A writer that collects records into chunks and puts each chunk into a blob.
 *
 * <ul>
 *   <li>A record is refused when it is handed over, with an exception, or accepted. With a journal it is on disk then, and gets into a blob
 *       exactly once, whatever is killed.
 *   <li>Records stand in the blobs in the order in which they were accepted.
 *   <li>The buffer is bounded in records and bytes. When it is full, {@link #write} waits for room up to the submit timeout and then throws
 *       {@link io.stowline.table.BufferFullException}; {@link #failingFast()} does not wait, {@link #reactive()} waits without a thread.
 *   <li>Without a journal a crash loses at most what {@link #progress()} shows as buffered.
 * </ul>
 *
 * <p>Thread-safe. Callbacks run on the callback executor of the settings, and may call this writer.
 *
 * @param <T> the records' type
 */
public interface RecordWriter<T> extends AutoCloseable {

    /**
     * Writes a record, waiting for room and, with a journal, for the disk.
     *
     * @param record the record
     * @throws IllegalArgumentException if the format cannot have it, or it is longer than a chunk may be
     * @throws io.stowline.table.BufferFullException if there was no room within the submit timeout
     * @throws io.stowline.journal.JournalException if the journal refuses it
     * @throws io.stowline.error.ClosedException if the writer is closed
     */
    void write(T record);

    /**
     * Returns the same writer without waiting: where there is no room it throws at once.
     *
     * @return a view of this writer; closing either closes both
     */
    RecordWriter<T> failingFast();

    /**
     * Returns the non-blocking face of this writer.
     *
     * @return a view of this writer; closing either closes both
     */
    ReactiveRecordWriter<T> reactive();

    /**
     * Seals what is buffered, and waits until everything that was accepted before this call is in a blob or has failed.
     *
     * @return how many of those records succeeded and failed
     */
    FlushReport flush();

    /**
     * Waits until the chunks that earlier processes have left in the journal have their end.
     *
     * @return the number of their records that are in blobs now, and that were rejected; of a writer without a journal, nothing
     */
    FlushReport awaitReplay();

    /**
     * Returns why the writer delivers nothing at present: the service refuses what is sent and would refuse it again, such as with 401, 403 or
     * 400, or because the container is missing. Nothing is lost with a journal; the writer probes by itself and goes on.
     *
     * @return the refusal; nothing if the writer is not paused
     */
    Optional<StorageException> pausedBy();

    /**
     * Returns the progress of this writer since it was opened.
     *
     * @return the numbers, in one consistent reading
     */
    RecordProgress progress();

    /**
     * Returns the chunks that failed and were not taken so far, and forgets them: {@link #close()} no longer reports them. At most 1,000
     * are kept, with their records as far as these fit into the size of the buffer; {@link #progress()} counts them all.
     *
     * @return the failures, the oldest first
     */
    List<FailedRecords> takeFailures();

    /**
     * Refuses new records, seals and delivers what is buffered until the close timeout. What is left in a journal then stays for the next
     * writer; what is left in memory fails. May be called again, and in a callback, where it does not wait.
     *
     * @throws FailedRecordsException if chunks failed that were not taken
     */
    @Override
    void close();

    /**
     * The progress of a writer since it was opened. Records that earlier processes have left in the journal count as accepted. Immutable.
     *
     * @param accepted the records that were accepted: {@code written + failed + buffered}
     * @param written those that are in blobs
     * @param failed those that failed or were rejected
     * @param buffered those that have no end yet
     * @param bufferedBytes the bytes of those
     * @param blobs the blobs that were begun
     * @param bytes the bytes that are in blobs, as they were sent
     */
    record RecordProgress(
            long accepted, long written, long failed, long buffered, long bufferedBytes, long blobs, long bytes) {}
}
