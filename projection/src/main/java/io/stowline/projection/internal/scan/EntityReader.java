package io.stowline.projection.internal.scan;

import io.stowline.projection.EntityType;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.read.ComponentRow;
import io.stowline.projection.internal.read.NestedReader;
import io.stowline.projection.internal.read.ValueReader;
import io.stowline.projection.internal.type.SystemProperty;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Map;

/**
 * A reader that collects the JSON values of one entity and makes a value of them; then it is ready for the next entity.
 *
 * <p>The index is that of {@link EntityType#properties()}. Each call converts to the type of its component: integers
 * from numbers, from whole numbers with a fraction of zero, and from decimal text (so {@code Edm.Int64} is read into an
 * {@code int} that it fits); doubles from every number and from {@code NaN}, {@code Infinity}, {@code -Infinity}; times
 * by {@link EdmDateTime#parse}; {@code BigDecimal} and {@code BigInteger} from text and from the numbers that are of
 * their kind; UUIDs in the canonical form; bytes from base64; enums by the exact name of a constant,
 * never by number; durations from ISO-8601 text and from .NET's {@code [-][d.]hh:mm:ss[.fffffff]}. What would be out
 * of range or lose digits is refused. A component with a converter reads the stored type so, then converts. The last of several values for one property counts.
 *
 * <p>Every method but {@link #reset} may throw {@link PropertyConversionException}; after any failure call
 * {@link #reset} before the next entity. {@link #build} resets by itself, when it fails too.
 *
 * <p>Not safe for use by many threads: one reader per page or thread.
 */
public final class EntityReader<T> {

    private static final int NONE = -1;

    private final ValueReader[] slots;
    private final int partitionKey;
    private final int rowKey;
    private final int timestamp;
    private final boolean offset;
    private final int etag;
    private final int bag;
    private final NestedReader whole;
    private final ComponentRow row;

    public EntityReader(TypeShape shape) {
        slots = shape.slots().toArray(ValueReader[]::new);
        partitionKey = shape.position(SystemProperty.PARTITION_KEY);
        rowKey = shape.position(SystemProperty.ROW_KEY);
        timestamp = shape.position(SystemProperty.TIMESTAMP);
        offset = shape.offsetTimestamp();
        etag = shape.position(SystemProperty.ETAG);
        bag = shape.position(SystemProperty.BAG);
        whole = shape.whole();
        row = new ComponentRow(shape.positions());
    }

    /** Takes the partition key; ignored when the type has no component for it. */
    public void partitionKey(String value) {
        put(partitionKey, value);
    }

    /** Takes the row key; ignored when the type has no component for it. */
    public void rowKey(String value) {
        put(rowKey, value);
    }

    /** Takes the server's time of the last change; ignored when the type has no component for it. */
    public void timestamp(Instant value) {
        put(timestamp, offset ? value.atOffset(ZoneOffset.UTC) : value);
    }

    /** Takes the ETag; ignored when the type has no component for it. */
    public void etag(String value) {
        put(etag, value);
    }

    /**
     * Takes the properties that no component takes; ignored when the type has no property bag.
     *
     * @param properties their values, in the one Java class of their type; handed on without a copy, so it stays unchanged
     */
    public void others(Map<String, Object> properties) {
        put(bag, Collections.unmodifiableMap(properties));
    }

    private void put(int position, Object value) {
        if (position != NONE) {
            row.put(position, value);
        }
    }

    /**
     * Takes a JSON string.
     *
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void text(int index, String value) {
        slots[index].text(row, value);
    }

    /**
     * Takes a JSON number without fraction and exponent.
     *
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void integer(int index, long value) {
        slots[index].integer(row, value);
    }

    /**
     * Takes a JSON number with a fraction or an exponent.
     *
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void floating(int index, double value) {
        slots[index].floating(row, value);
    }

    /**
     * Takes a JSON boolean.
     *
     * @throws PropertyConversionException if the component's type cannot be read from it
     */
    public void bool(int index, boolean value) {
        slots[index].bool(row, value);
    }

    /** Takes a JSON null, which is the same as no call at all. */
    public void absent(int index) {
        slots[index].absent(row);
    }

    /**
     * Makes the value and becomes ready for the next entity. A property that was absent is its default, or null, or an
     * empty {@code Optional}; so is a nested value without any of its properties. A property bag without entries is an
     * empty map.
     *
     * @throws PropertyConversionException if the property of a primitive component is absent and has no default
     * @throws RuntimeException what the type's own constructor throws, as it is
     */
    @SuppressWarnings("unchecked")
    public T build() {
        try {
            if (bag != NONE && row.references[bag] == null) {
                row.put(bag, Map.of());
            }
            return (T) whole.make(row);
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
