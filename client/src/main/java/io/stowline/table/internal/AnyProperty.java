package io.stowline.table.internal;

import io.stowline.projection.EdmDateTime;
import io.stowline.projection.EdmType;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A property that no Java type describes: its value is of the one Java class of its type. */
public final class AnyProperty {

    private AnyProperty() {}

    /**
     * Writes a property.
     *
     * @param name its name
     * @param value its value
     * @param out where to
     * @throws IllegalArgumentException if the value is of no class that stands for a type
     */
    public static void write(String name, Object value, EntityOut out) {
        EdmType type = EdmType.of(value);
        if (type == null) {
            throw new IllegalArgumentException(
                    "property " + name + " cannot be written back: the service's type of it is unknown");
        }
        FieldPrefix prefix = FieldPrefix.of(name, type);
        switch (type) {
            case STRING -> out.string(prefix, (String) value);
            case BOOLEAN -> out.bool(prefix, (Boolean) value);
            case INT32 -> out.int32(prefix, (Integer) value);
            case INT64 -> out.int64(prefix, (Long) value);
            case DOUBLE -> out.doubleValue(prefix, (Double) value);
            case DATETIME -> out.dateTime(prefix, (Instant) value);
            case GUID -> out.guid(prefix, (UUID) value);
            case BINARY -> out.binary(prefix, (byte[]) value);
        }
    }

    /** A JSON number that came with this word for its type, or with none. */
    static Object read(String name, JsonNumber number, @Nullable String wireType) throws IOException {
        if (wireType != null) {
            return read(name, number.text(), wireType);
        }
        if (!number.whole()) {
            return number.floating();
        }
        long value = number.integer();
        return value == (int) value ? (Object) (int) value : (Object) value;
    }

    /** A JSON text that came with this word for its type, or with none. */
    static Object read(String name, String text, @Nullable String wireType) throws IOException {
        EdmType type = wireType == null ? EdmType.STRING : EdmType.ofWireName(wireType);
        if (type == null) {
            return text;
        }
        try {
            return switch (type) {
                case STRING -> text;
                case BOOLEAN -> Boolean.valueOf(text);
                case INT32 -> Integer.valueOf(text);
                case INT64 -> Long.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case DATETIME -> EdmDateTime.parse(text);
                case GUID -> UUID.fromString(text);
                case BINARY -> Base64.getDecoder().decode(text);
            };
        } catch (IllegalArgumentException e) {
            throw new IOException("property " + name + " is said to be " + wireType + " but is not one", e);
        }
    }
}
