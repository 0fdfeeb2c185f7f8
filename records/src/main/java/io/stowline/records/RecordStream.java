package io.stowline.records;

import io.stowline.records.internal.read.RecordSequence;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A stream of the records of a prefix, read at the pace of its reader in bounded memory.
 *
 * <pre>{@code
 * void print(RecordBlobs visits, Instant from, Instant to, Path kept) throws IOException {
 *     try (RecordStream<String> span = visits.read(RecordFormat.lines(), from, to)) {
 *         for (String visit : span) {
 *             System.out.println(visit);
 *         }
 *         Files.writeString(kept, span.position().toString());
 *     }
 * }
 * }</pre>
 *
 * <p>Its records are read once: iterator and stream go on where the other one stands. A failure ends it; its position is then behind the last
 * record that it has returned, and another stream goes on there. For one thread at a time; {@link #close} may be called by another one.
 *
 * @param <T> the records' type
 */
public final class RecordStream<T> implements Iterable<T>, AutoCloseable {

    private final RecordSequence<T> records;
    private final Records iterator = new Records();

    RecordStream(RecordSequence<T> records) {
        this.records = records;
    }

    /** The only iterator, which looks one record ahead. */
    private final class Records implements Iterator<T> {

        private boolean ahead;
        private boolean ended;

        @Override
        public boolean hasNext() {
            if (!ahead && !ended) {
                ahead = records.next();
                ended = !ahead;
            }
            return ahead;
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException("there are no more records");
            }
            ahead = false;
            return records.record();
        }
    }

    /**
     * Returns the records that follow.
     *
     * @return the iterator, the same one for each call; it throws {@link RecordReadException} for a blob that cannot be read, and {@link
     *     io.stowline.error.StorageException}
     */
    @Override
    public Iterator<T> iterator() {
        return iterator;
    }

    /**
     * Returns the records that follow.
     *
     * @return the records in their order; closing it closes this
     */
    public Stream<T> stream() {
        Spliterator<T> spliterator =
                Spliterators.spliteratorUnknownSize(iterator, Spliterator.ORDERED | Spliterator.NONNULL);
        return StreamSupport.stream(spliterator, false).onClose(this::close);
    }

    /**
     * Returns the place behind the last record that was returned.
     *
     * @return the position, for {@link RecordBlobs#readAfter}
     * @throws IllegalStateException if this stream takes the records of a span by their own time
     */
    public RecordPosition position() {
        return new RecordPosition(records.position(iterator.ahead));
    }

    /**
     * Returns the blobs that have been read, up to their end.
     *
     * @return the latest 10,000, the last one last; {@link RecordReadSettings.Builder#onBlob} gets all
     */
    public List<ReadBlob> blobs() {
        return records.blobs();
    }

    /** Ends the stream: it has no further records. Closing it again does nothing. */
    @Override
    public void close() {
        records.close();
    }

    /**
     * A blob that has been read. Immutable.
     *
     * @param name its name
     * @param size its bytes
     * @param records the records that were read from it
     * @param cutOff the bytes at its end that are those of a record, or of a gzip member, that is cut off; 0 of a blob that is whole
     * @param missing whether it was deleted before all of it was read
     */
    public record ReadBlob(String name, long size, long records, long cutOff, boolean missing) {

        /**
         * Checks that there is a name.
         *
         * @param name its name
         * @param size its bytes
         * @param records the records that were read from it
         * @param cutOff the bytes at its end that are cut off
         * @param missing whether it was deleted before all of it was read
         */
        public ReadBlob {
            Objects.requireNonNull(name, "name");
        }
    }
}
