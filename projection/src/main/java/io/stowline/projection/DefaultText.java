package io.stowline.projection;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Set;

/** Reads the text of a {@link Default} the way a stored value is read. */
final class DefaultText {

    private static final Set<String> NO_NUMBERS = Set.of("NaN", "Infinity", "-Infinity");

    private DefaultText() {}

    /** Throws {@code IllegalArgumentException} with the reason for a text that is none of the component's type. */
    static Absence read(String text, ComponentType type, Slot.Target target) {
        Row row = new Row(target.position() + 1);
        try {
            feed(text, type.form().valueType(), Slots.of(type.form(), target), row);
        } catch (PropertyConversionException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "its default " + Shortened.quoted(text) + " is no " + type.name() + ": " + e.getMessage(), e);
        }
        return Absence.like(row, target.position(), target.primitive());
    }

    private static void feed(String text, ValueType type, Slot slot, Row row) {
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

    /** A fraction is rounded, as in Java's own literals; of a whole number every digit that stands there is kept. */
    private static double floating(String text, boolean single) {
        BigDecimal said = new BigDecimal(text);
        double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
        if (Double.isInfinite(value) || (value == 0 && said.signum() != 0)) {
            throw new IllegalArgumentException("it is too " + (value == 0 ? "small" : "large"));
        }
        BigDecimal kept = new BigDecimal(value).round(new MathContext(said.precision()));
        if (said.stripTrailingZeros().scale() <= 0 && said.compareTo(kept) != 0) {
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
