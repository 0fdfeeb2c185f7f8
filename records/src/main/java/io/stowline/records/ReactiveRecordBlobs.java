package io.stowline.records;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The non-blocking face of the readers of {@link RecordBlobs}. Nothing begins before subscription, each subscriber reads for itself, and as
 * far as it requests. The work is done by threads of the library that may block, 64 at most; a cancel ends it.
 *
 * <p>Immutable and thread-safe.
 */
public final class ReactiveRecordBlobs {

    private static final int MAX_BATCH = 1_000_000;

    /** Other threads than Reactor's elastic ones, on which callers may wait for readers. */
    private static final Scheduler READING =
            Schedulers.newBoundedElastic(64, Integer.MAX_VALUE, "stowline-records-read", 30, true);

    private final RecordBlobs blobs;

    ReactiveRecordBlobs(RecordBlobs blobs) {
        this.blobs = blobs;
    }

    /**
     * Reads the records of a span of time; see {@link RecordBlobs#read(RecordFormat, Instant, Instant, UnaryOperator)}.
     *
     * @param format the format of the records
     * @param from the begin of the span
     * @param to its end, which it does not have
     * @param settings changes the default settings
     * @param <T> the records' type
     * @return the records in their order, or the errors of the iterator of {@link RecordStream}
     */
    public <T> Flux<T> read(
            RecordFormat<T> format, Instant from, Instant to, UnaryOperator<RecordReadSettings.Builder<T>> settings) {
        return flux(() -> blobs.read(format, from, to, settings), stream -> stream.iterator()
                .next());
    }

    /**
     * Reads what is behind a position, in batches; see {@link RecordBlobs#readAfter(RecordFormat, RecordPosition, UnaryOperator)}.
     *
     * @param format the format of the records
     * @param position the position of an earlier stream
     * @param max the records of a batch, 1 to 1,000,000; the last one may have fewer
     * @param settings changes the default settings
     * @param <T> the records' type
     * @return the batches in their order, or the errors of the iterator of {@link RecordStream}
     * @throws IllegalArgumentException if the number is out of range
     */
    public <T> Flux<Batch<T>> readAfter(
            RecordFormat<T> format,
            RecordPosition position,
            int max,
            UnaryOperator<RecordReadSettings.Builder<T>> settings) {
        if (max < 1 || max > MAX_BATCH) {
            throw new IllegalArgumentException("a batch has 1 to " + MAX_BATCH + " records, not " + max);
        }
        return flux(() -> blobs.readAfter(format, position, settings), stream -> batch(stream, max));
    }

    private static <T> Batch<T> batch(RecordStream<T> stream, int max) {
        Iterator<T> records = stream.iterator();
        List<T> batch = new ArrayList<>(Math.min(max, 1_000));
        while (batch.size() < max && records.hasNext()) {
            batch.add(records.next());
        }
        return new Batch<>(batch, stream.position());
    }

    private static <T, V> Flux<V> flux(Supplier<RecordStream<T>> opened, Reading<T, V> reading) {
        return Flux.using(
                        opened::get,
                        stream -> Flux.<V>generate(sink -> {
                            if (stream.iterator().hasNext()) {
                                sink.next(reading.next(stream));
                            } else {
                                sink.complete();
                            }
                        }),
                        RecordStream::close)
                .subscribeOn(READING);
    }

    /** A step of a reader, which has a record to read. */
    private interface Reading<T, V> {
        V next(RecordStream<T> stream);
    }

    /**
     * Records that were read one after the other. Immutable.
     *
     * @param records the records, at least one
     * @param position the place behind the last of them
     * @param <T> the records' type
     */
    public record Batch<T>(List<T> records, RecordPosition position) {

        /**
         * Keeps its own copy of the list.
         *
         * @param records the records, at least one
         * @param position the place behind the last of them
         */
        public Batch {
            records = List.copyOf(records);
            Objects.requireNonNull(position, "position");
        }
    }
}
