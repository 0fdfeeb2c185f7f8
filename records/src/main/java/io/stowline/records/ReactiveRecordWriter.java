package io.stowline.records;

import io.stowline.table.FlushReport;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link RecordWriter}. Nothing begins before subscription.
 *
 * <p>Thread-safe.
 *
 * @param <T> the records' type
 */
public interface ReactiveRecordWriter<T> {

    /**
     * Writes a record; waits for room in line, without a thread and without a limit of time. A cancel leaves the line.
     *
     * @param record the record
     * @return the end, once the record is accepted; or the errors of {@link RecordWriter#write}
     */
    Mono<Void> write(T record);

    /**
     * Writes all records of a publisher in their order, and requests them as far as there is room.
     *
     * @param records the records
     * @return how many were accepted, at the end of the publisher; or the first error, which cancels the publisher
     */
    Mono<Long> writeAll(Publisher<? extends T> records);

    /**
     * Seals and delivers what is buffered; see {@link RecordWriter#flush}.
     *
     * @return how many of the records accepted before succeeded and failed
     */
    Mono<FlushReport> flush();

    /**
     * Waits for the chunks of earlier processes; see {@link RecordWriter#awaitReplay}.
     *
     * @return the number of their records that are in blobs now, and that were rejected
     */
    Mono<FlushReport> awaitReplay();

    /**
     * Closes the writer; see {@link RecordWriter#close}.
     *
     * @return the end of it
     */
    Mono<Void> close();
}
