package io.stowline.examples.load;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The type in which the values of a column are stored. */
enum ColumnType {
    STRING(".*"),
    INT("-?(0|[1-9]\\d{0,9})"),
    LONG("-?(0|[1-9]\\d{0,18})"),
    DOUBLE("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?"),
    BOOLEAN("true|false|True|False|TRUE|FALSE"),
    /** A time with its offset, or a day, which begins at midnight UTC. */
    TIME("\\d{4}-\\d{2}-\\d{2}(T.*)?"),
    UUID("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    /** A column that is not stored. */
    NONE("");

    private static final Pattern DECIMAL = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

    // What is surely of this type: 00501 is no number, as its zeros would be lost.
    private final Pattern typical;

    ColumnType(String typical) {
        this.typical = Pattern.compile(typical, Pattern.DOTALL);
    }

    /** Returns the type of this name, or null. */
    static @Nullable ColumnType named(String name) {
        return Arrays.stream(values())
                .filter(type -> type.label().equals(name))
                .findFirst()
                .orElse(null);
    }

    static String labels() {
        return Arrays.stream(values()).map(ColumnType::label).collect(Collectors.joining(", "));
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether a text can be stored so without a loss. */
    boolean suits(String text) {
        return typical.matcher(text).matches() && readable(text);
    }

    private boolean readable(String text) {
        try {
            convert(text);
            return true;
        } catch (IllegalArgumentException | DateTimeParseException e) {
            return false;
        }
    }

    /**
     * Makes the value to store.
     *
     * @param text a value as text, not empty unless this is {@code STRING}
     * @return the value
     * @throws IllegalArgumentException if it is not of this type
     * @throws DateTimeParseException if it is no time
     */
    Object convert(String text) {
        return switch (this) {
            case STRING, NONE -> text;
            case INT -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case DOUBLE -> decimal(text);
            case BOOLEAN -> Boolean.valueOf(typical(text));
            case TIME -> time(text);
            case UUID -> java.util.UUID.fromString(typical(text));
        };
    }

    private static Double decimal(String text) {
        double value = DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("not a number that can be stored");
        }
        return value;
    }

    private String typical(String text) {
        if (!typical.matcher(text).matches()) {
            throw new IllegalArgumentException("no " + label());
        }
        return text;
    }

    private static Instant time(String text) {
        return text.indexOf('T') < 0
                ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                : OffsetDateTime.parse(text).toInstant();
    }
}
