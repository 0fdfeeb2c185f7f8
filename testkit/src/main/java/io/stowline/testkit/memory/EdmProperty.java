package io.stowline.testkit.memory;

import io.stowline.testkit.internal.wire.EdmKind;
import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Property of an entity as the table service keeps it.
 *
 * @param type its type
 * @param value a String, Boolean, Integer, Long, Double, Instant, UUID or, of binary, its bytes in hexadecimal digits
 */
record EdmProperty(EdmKind type, Comparable<?> value) {

    static EdmProperty text(String text) {
        return new EdmProperty(EdmKind.STRING, text);
    }

    static EdmProperty time(Instant time) {
        return new EdmProperty(EdmKind.DATE_TIME, time);
    }

    /** Returns a number as the service reads one without a type. */
    static EdmProperty number(String text) {
        try {
            return new EdmProperty(EdmKind.INT32, Integer.valueOf(text));
        } catch (NumberFormatException e) {
            // A fraction, or too large for an Edm.Int32.
            return new EdmProperty(EdmKind.DOUBLE, Double.valueOf(text));
        }
    }

    /**
     * Returns the value of a property in JSON.
     *
     * @throws RefusedOperation if it has none
     */
    static EdmProperty of(BodyProperty property) {
        boolean number = property.kind() == JsonKind.INTEGER || property.kind() == JsonKind.FRACTION;
        if (number && property.type() == null) {
            return number(property.text());
        }
        EdmKind kind = EdmKind.of(property)
                .orElseThrow(() -> new RefusedOperation(
                        400, "InvalidInput", "The type " + property.type() + " is not supported."));
        return of(kind, property.text());
    }

    /** Returns the value that a text has in a type. */
    static EdmProperty of(EdmKind type, String text) {
        try {
            return new EdmProperty(
                    type,
                    switch (type) {
                        case STRING -> text;
                        case BOOLEAN -> Boolean.valueOf(text);
                        case INT32 -> Integer.valueOf(text);
                        case INT64 -> Long.valueOf(text);
                        case DOUBLE -> number(text, text.toUpperCase(Locale.ROOT));
                        case DATE_TIME -> Instant.parse(text);
                        case GUID -> UUID.fromString(text);
                        case BINARY ->
                            HexFormat.of().formatHex(Base64.getDecoder().decode(text));
                    });
        } catch (RuntimeException e) {
            throw new RefusedOperation(400, "InvalidInput", "'" + text + "' is no value of " + type.wireName());
        }
    }

    private static Double number(String text, String upper) {
        return switch (upper) {
            case "INFINITY", "INF" -> Double.POSITIVE_INFINITY;
            case "-INFINITY", "-INF" -> Double.NEGATIVE_INFINITY;
            case "NAN" -> Double.NaN;
            default -> Double.valueOf(text);
        };
    }

    /** Compares values of one type, and numbers of any; {@code null} where the service finds no order. */
    @Nullable
    Integer compare(EdmProperty other) {
        if (type.isNumber() && other.type.isNumber()) {
            if (type == EdmKind.DOUBLE || other.type == EdmKind.DOUBLE) {
                return order(((Number) value).doubleValue(), ((Number) other.value).doubleValue());
            }
            return Long.compare(((Number) value).longValue(), ((Number) other.value).longValue());
        }
        if (type != other.type) {
            return null;
        }
        return type == EdmKind.GUID
                ? Integer.valueOf(value.toString().compareTo(other.value.toString()))
                : Integer.valueOf(ordered(value, other.value));
    }

    /** NaN has no order, and both zeros are equal. */
    private static @Nullable Integer order(double one, double other) {
        return Double.isNaN(one) || Double.isNaN(other)
                ? null
                : Integer.valueOf(Double.compare(one + 0.0, other + 0.0));
    }

    @SuppressWarnings("unchecked") // both are of one type
    private static int ordered(Comparable<?> one, Comparable<?> other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    /** Returns the value in JSON. */
    String json() {
        return switch (type) {
            case BOOLEAN, INT32 -> String.valueOf(value);
            case DOUBLE -> {
                double number = (Double) value;
                yield Double.isNaN(number) || Double.isInfinite(number)
                        ? "\"" + (Double.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity") + "\""
                        : String.valueOf(number);
            }
            case DATE_TIME -> "\"" + ServiceTimes.sevenDigits((Instant) value) + "\"";
            case BINARY ->
                "\"" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex((String) value)) + "\"";
            case STRING, INT64, GUID -> EntityJson.quoted(value.toString());
        };
    }

    /** Returns whether JSON does not show the type of the value. */
    boolean needsAnnotation() {
        return switch (type) {
            case INT64, DATE_TIME, GUID, BINARY -> true;
            case DOUBLE -> ((Double) value).isNaN() || ((Double) value).isInfinite();
            case STRING, BOOLEAN, INT32 -> false;
        };
    }
}
