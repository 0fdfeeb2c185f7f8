package io.stowline.projection;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Collects the JSON values of one entity and makes a record of them; then it is ready for the next entity.
 *
 * <p>The index is that of {@link EntityType#properties()}. Each call converts to the type of its component: integers
 * from numbers, from whole numbers with a fraction of zero, and from decimal text (so {@code Edm.Int64} is read into an
 * {@code int} that it fits); doubles from every number and from {@code NaN}, {@code Infinity}, {@code -Infinity}; times
 * by {@link EdmDateTime#parse}; UUIDs in the canonical form; bytes from base64; enums by the exact name of a constant,
 * never by number; durations from ISO-8601 text and from .NET's {@code [-][d.]hh:mm:ss[.fffffff]}. What would be out
 * of range or lose digits is refused. The last of several values for one property counts.
 *
 * <p>Every method but {@link #reset} may throw {@link PropertyConversionException}; after any failure call
 * {@link #reset} before the next entity. {@link #build} resets by itself, when it fails too.
 *
 * <p>Not safe for use by many threads: one reader per page or thread.
 *
 * @param <T> the record
 */
public final class EntityReader<T> {

    private final Slot[] slots;
    private final @Nullable KeyComponent partitionKey;
    private final @Nullable KeyComponent rowKey;
    private final @Nullable TimestampComponent timestamp;
    private final MethodHandle assembly;
    private final Row row;

    EntityReader(TypeShape shape) {
        slots = shape.slots().toArray(Slot[]::new);
        partitionKey = shape.partitionKey();
        rowKey = shape.rowKey();
        timestamp = shape.timestamp();
        assembly = shape.assembly();
        row = new Row(shape.components());
    }

    /**
     * Takes the partition key; ignored when the record has no component for it.
     *
     * @param value the key
     */
    public void partitionKey(String value) {
        if (partitionKey != null) {
            row.put(partitionKey.position(), value);
        }
    }

    /**
     * Takes the row key; ignored when the record has no component for it.
     *
     * @param value the key
     */
    public void rowKey(String value) {
        if (rowKey != null) {
            row.put(rowKey.position(), value);
        }
    }

    /**
     * Takes the server's time of the last change; ignored when the record has no component for it.
     *
     * @param value the time
     */
    public void timestamp(Instant value) {
        if (timestamp != null) {
            row.put(timestamp.position(), timestamp.offset() ? value.atOffset(ZoneOffset.UTC) : value);
        }
    }

    /**
     * Takes a JSON string.
     *
     * @param index the property's index
     * @param value the text
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void text(int index, String value) {
        slots[index].text(row, value);
    }

    /**
     * Takes a JSON number without fraction and exponent.
     *
     * @param index the property's index
     * @param value the number
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void integer(int index, long value) {
        slots[index].integer(row, value);
    }

    /**
     * Takes a JSON number with a fraction or an exponent.
     *
     * @param index the property's index
     * @param value the number
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void floating(int index, double value) {
        slots[index].floating(row, value);
    }

    /**
     * Takes a JSON boolean.
     *
     * @param index the property's index
     * @param value the value
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void bool(int index, boolean value) {
        slots[index].bool(row, value);
    }

    /**
     * Takes a JSON null, which is the same as no call at all.
     *
     * @param index the property's index
     */
    public void absent(int index) {
        slots[index].absent(row);
    }

    /**
     * Makes the record and becomes ready for the next entity. A property that was absent is null, an {@code Optional}
     * is empty.
     *
     * @return the record
     * @throws PropertyConversionException if the property of a primitive component is absent
     * @throws RuntimeException what the record's own constructor throws, as it is
     */
    @SuppressWarnings("unchecked")
    public T build() {
        try {
            for (Slot slot : slots) {
                slot.requirePresent(row);
            }
            return (T) (Object) assembly.invokeExact(row.references, row.primitives);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        } finally {
            row.clear();
        }
    }

    /** Forgets what was collected. */
    public void reset() {
        row.clear();
    }
}
