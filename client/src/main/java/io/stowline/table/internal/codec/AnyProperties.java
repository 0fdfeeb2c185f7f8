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
import java.time.temporal.ChronoField;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
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
     * @param unique whether it refuses a property with the name of an earlier one, and a value that its type would change
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
            values.put(property, declared(property, early.toString(), type, early instanceof String));
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
            case STRING -> put(name, declared(name, json.string(), type, true));
            case NUMBER ->
                put(
                        name,
                        type == null
                                ? AnyProperty.read(json.number())
                                : declared(name, json.number().text(), type, false));
            case BOOLEAN -> {
                boolean value = json.bool();
                put(name, unique && type != null ? declared(name, String.valueOf(value), type, false) : value);
            }
            case NULL -> {
                json.skip();
                refuse(name, values.remove(name));
            }
            default -> throw new PropertyConversionException(name, kind.toString(), "any type of the service", null);
        }
    }

    private Object declared(String name, String value, @Nullable String type, boolean isText) throws IOException {
        return unique ? AnyProperty.exact(name, value, type, isText) : AnyProperty.read(name, value, type);
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

        private static final Pattern PADDING = Pattern.compile("=+$");

        /** Java also reads a plus sign and the digits of other scripts. */
        private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]+");

        /** The service keeps times in steps of 100 ns. */
        private static final int STEP_NANOS = 100;

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

        /** Returns the value of a JSON number without a word for its type. */
        static Object read(JsonNumber number) throws IOException {
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

        /**
         * Returns the value of a file with this word for its type, or with none.
         *
         * @param isText whether it is a text, and no number or Boolean
         * @throws PropertyConversionException if the type would change it
         */
        public static Object exact(String name, String text, @Nullable String wireType, boolean isText)
                throws IOException {
            Object value = read(name, text, wireType);
            boolean kept;
            if (value instanceof byte[] bytes) {
                kept = isText
                        && Base64.getEncoder()
                                .withoutPadding()
                                .encodeToString(bytes)
                                .equals(PADDING.matcher(text).replaceFirst(""));
            } else if (value instanceof Instant time) {
                kept = isText && time.get(ChronoField.NANO_OF_SECOND) % STEP_NANOS == 0;
            } else {
                boolean isNumber = value instanceof Integer || value instanceof Long || value instanceof Double;
                boolean isBoolean = text.equals("true") || text.equals("false");
                kept = isText || (value instanceof Boolean ? isBoolean : isNumber);
                boolean isWhole = value instanceof Integer || value instanceof Long;
                kept = kept && (!isWhole || WHOLE_NUMBER.matcher(text).matches());
            }
            if (!kept) {
                throw new PropertyConversionException(name, text, wireType + " without a change", null);
            }
            return value;
        }

        private static boolean bool(String text) {
            if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException("neither true nor false");
            }
            return text.equals("true");
        }
    }
}
