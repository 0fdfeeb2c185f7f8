package io.stowline.projection.internal.read;

import io.stowline.projection.PropertyConversionException;
import java.lang.reflect.Array;

/** The treatment of a component whose property is missing. */
@FunctionalInterface
public interface MissingValue {

    /** The component stays null, or its {@code Optional} empty. */
    MissingValue NOTHING = (row, position) -> {};

    void fill(ComponentRow row, int position);

    static MissingValue refusal(String property, String wanted) {
        return (row, position) -> {
            throw PropertyConversionException.missing(property, wanted);
        };
    }

    /** Returns zero or false, of a primitive type. */
    static MissingValue zero(Class<?> primitive, boolean boxed) {
        if (!boxed) {
            return (row, position) -> row.putPrimitive(position, 0);
        }
        Object zero = zero(primitive);
        return (row, position) -> row.put(position, zero);
    }

    /** Returns zero or false, boxed. */
    static Object zero(Class<?> primitive) {
        return Array.get(Array.newInstance(primitive, 1), 0);
    }

    /** Returns the value that stands at a position of another row now. Bytes are handed out as copies. */
    static MissingValue like(ComponentRow sample, int at, boolean primitive) {
        if (primitive) {
            long bits = sample.primitives[at];
            return (row, position) -> row.putPrimitive(position, bits);
        }
        Object value = sample.references[at];
        return value instanceof byte[] bytes
                ? (row, position) -> row.put(position, bytes.clone())
                : (row, position) -> row.put(position, value);
    }
}
