package io.stowline.table.internal.codec;

import io.stowline.outcome.WriteMarkers;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.TextParsers;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import io.stowline.table.internal.json.JsonNumber;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A collector of the properties of a row that no Java type describes, by the types that the service sends along. The marker of a write is none
 * of them. For one thread.
 */
public final class AnyProperties {

    private final boolean unique;
    private final Map<String, String> types = new HashMap<>();
    private Map<String, Object> values = new LinkedHashMap<>();
    private @Nullable String marker;

    /** Makes a collector that keeps the last one of properties with one name. */
    AnyProperties() {
        this(false);
    }

    /**
     * Makes a collector.
     *
     * @param unique whether it refuses a property with the name of an earlier one
     */
    AnyProperties(boolean unique) {
        this.unique = unique;
    }

    /** Takes the service's word for a property's type; as a rule it comes before the property. */
    void typed(String property, String type) throws IOException {
        Object early = values.get(property);
        if (early == null) {
            types.put(property, type);
        } else {
            values.put(property, AnyProperty.read(property, early.toString(), type));
        }
    }

    /** Takes a property: passes over its value, which is of that kind. */
    void property(String name, JsonCursor.JsonShape kind, JsonCursor json) throws IOException {
        if (name.equals(WriteMarkers.PROPERTY)) {
            marker = kind == JsonCursor.JsonShape.STRING ? json.string() : skipped(json);
            return;
        }
        String type = types.remove(name);
        switch (kind) {
            case STRING -> put(name, AnyProperty.read(name, json.string(), type));
            case NUMBER -> put(name, AnyProperty.read(name, json.number(), type));
            case BOOLEAN -> put(name, json.bool());
            case NULL -> {
                json.skip();
                refuse(name, values.remove(name));
            }
            default -> throw new PropertyConversionException(name, kind.toString(), "any type of the service", null);
        }
    }

    private void put(String name, Object value) throws IOException {
        refuse(name, values.put(name, value));
    }

    private void refuse(String name, @Nullable Object earlier) throws IOException {
        if (unique && earlier != null) {
            throw new IOException("the property " + name + " is there twice");
        }
    }

    private static @Nullable String skipped(JsonCursor json) throws IOException {
        json.skip();
        return null;
    }

    /** Returns the marker of the write that the row stems from; to be called before {@link #take}. */
    @Nullable
    String marker() {
        return marker;
    }

    /** Returns the collected properties, for the caller to keep, and clears them. */
    Map<String, Object> take() {
        Map<String, Object> taken = values;
        values = new LinkedHashMap<>();
        types.clear();
        marker = null;
        return taken;
    }

    /** A property that no Java type describes: its value is of the one Java class of its type. */
    public static final class AnyProperty {

        private AnyProperty() {}

        /**
         * Writes a property.
         *
         * @param out where to
         * @throws IllegalArgumentException if the value is of no class that stands for a type
         */
        public static void write(String name, Object value, EntityJsonWriter out) {
            EdmType type = type(name, value);
            write(JsonFieldPrefix.of(name, type), type, value, out);
        }

        /**
         * Returns the type that the class of a value stands for.
         *
         * @throws IllegalArgumentException if the value is of no such class
         */
        public static EdmType type(String name, Object value) {
            EdmType type = EdmType.of(value);
            if (type == null) {
                throw new IllegalArgumentException(
                        "property " + name + " cannot be written back: the service's type of it is unknown");
            }
            return type;
        }

        /** Writes a property of this type. */
        public static void write(JsonFieldPrefix prefix, EdmType type, Object value, EntityJsonWriter out) {
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

        /** Returns the value of a JSON number with this word for its type, or with none. */
        static Object read(String name, JsonNumber number, @Nullable String wireType) throws IOException {
            if (wireType != null) {
                return read(name, number.text(), wireType);
            }
            if (!number.isIntegral()) {
                return number.floating();
            }
            long value = number.integer();
            return value == (int) value ? (Object) (int) value : (Object) value;
        }

        /** Returns the value of a JSON text with this word for its type, or with none. */
        public static Object read(String name, String text, @Nullable String wireType) throws IOException {
            EdmType type = wireType == null ? EdmType.STRING : EdmType.ofWireName(wireType);
            if (type == null) {
                throw new PropertyConversionException(
                        name, "a value of " + wireType, "any type of the service, for no such type is known", null);
            }
            try {
                return switch (type) {
                    case STRING -> text;
                    case BOOLEAN -> bool(text);
                    case INT32 -> Integer.valueOf(text);
                    case INT64 -> Long.valueOf(text);
                    case DOUBLE -> TextParsers.floating(text);
                    case DATETIME -> EdmDateTime.parse(text);
                    case GUID -> TextParsers.guid(text);
                    case BINARY -> Base64.getDecoder().decode(text);
                };
            } catch (IllegalArgumentException e) {
                throw new PropertyConversionException(name, text, wireType + ", as which it is declared", e);
            }
        }

        private static boolean bool(String text) {
            if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException("neither true nor false");
            }
            return text.equals("true");
        }
    }
}
