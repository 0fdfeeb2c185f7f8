package io.stowline.advisor;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A figure that a judgement stands on. Immutable.
 *
 * @param name the quantity, such as {@code writes at the end of the key range}
 * @param value its value, or {@code null} of a fact that is a text
 * @param unit its unit, such as {@code entities/s}; of a fact the text itself
 * @param threshold the value beyond which the practice counts as broken, or {@code null} if it decides nothing by itself
 * @param samples how many events it is made of
 */
public record Figure(
        String name,
        @Nullable Double value,
        String unit,
        @Nullable Double threshold,
        long samples) {

    /**
     * Checks that everything is there.
     *
     * @param name the quantity
     * @param value its value, or {@code null}
     * @param unit its unit, or the text of a fact
     * @param threshold the value beyond which the practice counts as broken, or {@code null}
     * @param samples how many events it is made of
     */
    public Figure {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unit, "unit");
    }

    /**
     * Returns the value with its unit, for readers.
     *
     * @return such as {@code 85.0 %}, {@code 1,480 entities/s} or the text of a fact
     */
    public String text() {
        if (value == null) {
            return unit;
        }
        return unit.isEmpty() ? plain(value) : number(value) + " " + unit;
    }

    /** A version or a year is no amount. */
    private static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf(Math.round(value)) : number(value);
    }

    /** Digits beyond three decide nothing. */
    private static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 1 ? "%.1f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    @Override
    public String toString() {
        String limit = threshold == null ? "" : ", threshold " + number(threshold);
        return name + " " + text() + limit + (samples == 0 ? "" : String.format(Locale.ROOT, ", %,d samples", samples));
    }
}
