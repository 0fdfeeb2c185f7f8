package io.stowline.records;

import io.stowline.blob.BlobContainer;
import io.stowline.records.internal.engine.WriterOpening;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.records.internal.read.FollowingReader;
import io.stowline.records.internal.read.RecordPass;
import io.stowline.records.internal.read.RecordSpan;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The records in the blobs of one container below one prefix.
 *
 * <p>Immutable and thread-safe; making it costs nothing and sends nothing.
 */
public final class RecordBlobs {

    private final BlobContainer container;
    private final String prefix;

    private RecordBlobs(BlobContainer container, String prefix) {
        this.container = container;
        this.prefix = prefix;
    }

    /**
     * Returns the records below a prefix of a container.
     *
     * @param container the container; it is not created
     * @param prefix the begin of all blob names, such as {@code activities/}
     * @return the records
     * @throws IllegalArgumentException if names cannot begin with the prefix
     */
    public static RecordBlobs in(BlobContainer container, String prefix) {
        return new RecordBlobs(Objects.requireNonNull(container, "container"), BlobNames.checkedPrefix(prefix));
    }

    /**
     * Opens a writer with the default settings.
     *
     * @param format the format of the records
     * @param <T> the records' type
     * @return the writer; close it before the client
     */
    public <T> RecordWriter<T> writer(RecordFormat<T> format) {
        return writer(format, settings -> settings);
    }

    /**
     * Opens a writer, which begins with what earlier processes have left in its journal.
     *
     * @param format the format of the records
     * @param settings changes the default settings
     * @param <T> the records' type
     * @return the writer; close it before the client, and before its journal
     * @throws io.stowline.journal.JournalException if the journal is for something else, in use, or cannot be read
     */
    public <T> RecordWriter<T> writer(RecordFormat<T> format, UnaryOperator<RecordWriterSettings.Builder> settings) {
        RecordWriterSettings.Builder changed = settings.apply(RecordWriterSettings.builder());
        return WriterOpening.open(
                container,
                prefix,
                format.codec(),
                Objects.requireNonNull(changed, "settings gave no builder").build());
    }

    /**
     * Reads the records of a span of time; see {@link #read(RecordFormat, Instant, Instant, UnaryOperator)}.
     *
     * @param format the format of the records
     * @param from the begin of the span
     * @param to its end, which it does not have
     * @param <T> the records' type
     * @return the records; close it unless it was read to its end
     * @throws IllegalArgumentException if the span ends before it begins
     */
    public <T> RecordStream<T> read(RecordFormat<T> format, Instant from, Instant to) {
        return read(format, from, to, settings -> settings);
    }

    /**
     * Reads the records of a span of time: those of all intervals that overlap it, in the order of intervals, writers and acceptance. With
     * {@link RecordReadSettings.Builder#mergedBy mergedBy} it reads exactly those whose time is in the span, merged by it within each
     * interval. A stream has what is in the container when it begins.
     *
     * <p>Listing and reading begin with the first record. Blobs below the prefix that are not named as the library names them are passed
     * over.
     *
     * @param format the format of the records
     * @param from the begin of the span
     * @param to its end, which it does not have
     * @param settings changes the default settings
     * @param <T> the records' type
     * @return the records; close it unless it was read to its end
     * @throws IllegalArgumentException if the span ends before it begins, or a setting is out of range
     */
    public <T> RecordStream<T> read(
            RecordFormat<T> format, Instant from, Instant to, UnaryOperator<RecordReadSettings.Builder<T>> settings) {
        RecordReadSettings<T> changed = changed(settings);
        return stream(format, changed, RecordSpan.of(from, to, changed));
    }

    /**
     * Reads what is behind a position; see {@link #readAfter(RecordFormat, RecordPosition, UnaryOperator)}.
     *
     * @param format the format of the records
     * @param position the position of an earlier stream
     * @param <T> the records' type
     * @return the records; close it unless it was read to its end
     */
    public <T> RecordStream<T> readAfter(RecordFormat<T> format, RecordPosition position) {
        return readAfter(format, position, settings -> settings);
    }

    /**
     * Reads what is behind a position and in the container when the stream begins: what an earlier stream had not come to, and what has been
     * written since, also into earlier intervals within the lateness. Nothing is skipped, and nothing read twice.
     *
     * @param format the format of the records
     * @param position the position of an earlier stream
     * @param settings changes the default settings
     * @param <T> the records' type
     * @return the records; close it unless it was read to its end
     * @throws IllegalArgumentException if a setting is out of range
     */
    public <T> RecordStream<T> readAfter(
            RecordFormat<T> format, RecordPosition position, UnaryOperator<RecordReadSettings.Builder<T>> settings) {
        return stream(format, changed(settings), RecordSpan.after(position.vector()));
    }

    /**
     * Follows what is written behind a position; see {@link #follow(RecordFormat, RecordPosition, UnaryOperator)}.
     *
     * @param format the format of the records
     * @param position where it begins, such as {@code RecordPosition.at(Instant.now())}
     * @param <T> the records' type
     * @return the records; close it to end it
     */
    public <T> RecordStream<T> follow(RecordFormat<T> format, RecordPosition position) {
        return follow(format, position, settings -> settings);
    }

    /**
     * Follows what is written behind a position, in blobs that are whole and in append blobs that grow. The stream has no end: it waits for
     * further records, and through an outage of the storage, until another thread closes it. Records come in the order of their writers,
     * those of an interval as far as they are there; one that arrives late comes late. Nothing is skipped, and nothing read twice.
     *
     * @param format the format of the records
     * @param position where it begins; that of the stream goes on where it stands, in {@link #readAfter}, too
     * @param settings changes the default settings
     * @param <T> the records' type
     * @return the records; close it to end it
     * @throws IllegalArgumentException if a setting is out of range
     */
    public <T> RecordStream<T> follow(
            RecordFormat<T> format, RecordPosition position, UnaryOperator<RecordReadSettings.Builder<T>> settings) {
        return new RecordStream<>(new FollowingReader<>(
                (vector, each) -> new RecordPass<>(
                        container, prefix, format.codec(), each, RecordSpan.after(vector), Clock.systemUTC()),
                changed(settings),
                position.vector()));
    }

    /**
     * Returns the non-blocking face of the readers.
     *
     * @return a view; making it costs nothing
     */
    public ReactiveRecordBlobs reactive() {
        return new ReactiveRecordBlobs(this);
    }

    private static <T> RecordReadSettings<T> changed(UnaryOperator<RecordReadSettings.Builder<T>> settings) {
        return Objects.requireNonNull(settings.apply(RecordReadSettings.builder()), "settings gave no builder")
                .build();
    }

    private <T> RecordStream<T> stream(RecordFormat<T> format, RecordReadSettings<T> settings, RecordSpan<T> span) {
        return new RecordStream<>(
                new RecordPass<>(container, prefix, format.codec(), settings, span, Clock.systemUTC()));
    }

    /**
     * Returns the container.
     *
     * @return the container, as it was given
     */
    public BlobContainer container() {
        return container;
    }

    /**
     * Returns the begin of all blob names.
     *
     * @return the prefix
     */
    public String prefix() {
        return prefix;
    }
}
