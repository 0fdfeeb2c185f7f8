package io.stowline.projection.internal.read;

import io.stowline.projection.Default;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.internal.edm.Abbreviation;
import io.stowline.projection.internal.edm.ValueType;
import io.stowline.projection.internal.type.ComponentType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Set;

/** A parser that reads the text of a {@link Default} the way a stored value is read. */
public final class DefaultParser {

    private static final Set<String> NO_NUMBERS = Set.of("NaN", "Infinity", "-Infinity");

    private DefaultParser() {}

    /** Throws {@code IllegalArgumentException} with the reason for a text that is none of the component's type. */
    public static MissingValue read(String text, ComponentType type, ValueReader.ReadTarget target) {
        ComponentRow row = new ComponentRow(target.position() + 1);
        try {
            feed(text, type.form().valueType(), ValueReaders.of(type.form(), target), row);
        } catch (PropertyConversionException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "its default " + Abbreviation.quoted(text) + " is no " + type.name() + ": " + e.getMessage(), e);
        }
        return MissingValue.like(row, target.position(), target.primitive());
    }

    private static void feed(String text, ValueType type, ValueReader slot, ComponentRow row) {
        switch (type) {
            case BOOLEAN -> slot.bool(row, bool(text));
            case FLOAT, DOUBLE -> {
                if (NO_NUMBERS.contains(text)) {
                    slot.text(row, text);
                } else {
                    slot.floating(row, floating(text, type == ValueType.FLOAT));
                }
            }
            default -> slot.text(row, text);
        }
    }

    /** A fraction is rounded, as in Java's literals; a whole number keeps every digit. */
    private static double floating(String text, boolean single) {
        BigDecimal stated = new BigDecimal(text);
        double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
        if (Double.isInfinite(value) || (value == 0 && stated.signum() != 0)) {
            throw new IllegalArgumentException("it is too " + (value == 0 ? "small" : "large"));
        }
        BigDecimal kept = new BigDecimal(value).round(new MathContext(stated.precision()));
        if (stated.stripTrailingZeros().scale() <= 0 && stated.compareTo(kept) != 0) {
            throw new IllegalArgumentException("the nearest one is " + new BigDecimal(value));
        }
        return value;
    }

    private static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("it is neither true nor false");
        };
    }
}
