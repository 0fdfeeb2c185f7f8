package io.stowline.projection.filter;

import io.stowline.projection.InvalidValueException;
import io.stowline.projection.internal.edm.CodePoints;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.EdmType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;

/** Values as literals of the filter language, each of the form that its type demands. */
final class ODataLiterals {

    private ODataLiterals() {}

    static String of(EdmType type, Object value) {
        return switch (type) {
            case STRING -> string(text(value));
            case BOOLEAN, INT32 -> value.toString();
            case INT64 -> value + "L";
            case DOUBLE -> decimal(((Number) value).doubleValue());
            case DATETIME -> "datetime'" + EdmDateTime.format(instant(value)) + "'";
            case GUID -> "guid'" + value + "'";
            case BINARY -> "X'" + HexFormat.of().formatHex((byte[]) value) + "'";
        };
    }

    static String string(String value) {
        int unpaired = CodePoints.firstUnpaired(value);
        if (unpaired >= 0) {
            throw new InvalidValueException("filter text: " + CodePoints.name(value, unpaired) + " at position "
                    + unpaired + " is a surrogate without its partner");
        }
        return "'" + value.replace("'", "''") + "'";
    }

    private static String text(Object value) {
        return value instanceof Enum<?> constant ? constant.name() : value.toString();
    }

    private static Instant instant(Object value) {
        return value instanceof OffsetDateTime time ? time.toInstant() : (Instant) value;
    }

    /** Writes no exponent: Azurite takes {@code 1.0E10} for the name of a property. */
    private static String decimal(double value) {
        if (!Double.isFinite(value)) {
            throw new InvalidValueException("filter value " + value + ": only finite numbers can be compared");
        }
        String digits = new BigDecimal(Double.toString(value)).toPlainString();
        return digits.indexOf('.') < 0 ? digits + ".0" : digits;
    }
}
