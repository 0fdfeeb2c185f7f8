package io.stowline.records;

import io.stowline.records.internal.read.PositionText;
import io.stowline.records.internal.read.ReadVector;
import java.time.Instant;
import java.util.Objects;

/**
 * A place between two records of a prefix: what is before it has been read, what is behind it has not. Its text can be kept, and read by
 * {@link #parse}.
 *
 * <pre>{@code
 * void printFurther(RecordBlobs visits, Path kept) throws IOException {
 *     RecordPosition position = RecordPosition.parse(Files.readString(kept));
 *     try (RecordStream<String> later = visits.readAfter(RecordFormat.lines(), position)) {
 *         later.forEach(System.out::println);
 *         Files.writeString(kept, later.position().toString());
 *     }
 * }
 * }</pre>
 *
 * <p>It has a place for each writer that has written within the lateness of its stream, so that a blob that arrives late is behind it.
 * Immutable and thread-safe.
 */
public final class RecordPosition {

    private final ReadVector vector;

    RecordPosition(ReadVector vector) {
        this.vector = vector;
    }

    ReadVector vector() {
        return vector;
    }

    /**
     * Returns the position before the first record of all.
     *
     * @return the position
     */
    public static RecordPosition first() {
        return new RecordPosition(ReadVector.at(ReadVector.FIRST));
    }

    /**
     * Returns the position before the records that are accepted from an instant on, and before those of intervals that have begun then and
     * not ended.
     *
     * @param from the instant
     * @return the position
     */
    public static RecordPosition at(Instant from) {
        return new RecordPosition(ReadVector.at(Objects.requireNonNull(from, "from")));
    }

    /**
     * Reads the text of a position.
     *
     * @param text what {@link #toString()} has returned
     * @return the position
     * @throws IllegalArgumentException if it is no such text, or was cut or changed
     */
    public static RecordPosition parse(String text) {
        return new RecordPosition(PositionText.parse(Objects.requireNonNull(text, "text")));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordPosition position && vector.equals(position.vector);
    }

    @Override
    public int hashCode() {
        return vector.hashCode();
    }

    /** Returns the text, in printable ASCII without spaces: about 40 characters for each writer. */
    @Override
    public String toString() {
        return PositionText.of(vector);
    }
}
