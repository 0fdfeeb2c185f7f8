package io.stowline.examples.load;

import io.stowline.examples.shared.UsageException;
import io.stowline.projection.key.KeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key made of columns and constants, such as {@code {country}}, {@code CITY:{admin1}:{name}} or {@code {hash(16)}!{id:number(8)}}. What
 * stands between two parts is the separator of a {@link KeyFormat}. Immutable.
 */
final class KeyTemplate {

    private static final Pattern PIECE = Pattern.compile(
            "(?:(?<constant>[\\p{L}\\p{N}]+)|\\{hash\\((?<buckets>\\d{1,4})\\)}|"
                    + "\\{(?<column>[^{}]+?)(:(?<kind>[a-zA-Z]+)(\\((?<digits>\\d{1,2})\\))?)?})(?<between>[^{}\\p{L}\\p{N}]*)");

    private final String text;
    private final KeyFormat format;
    private final List<Part> parts;

    /** A constant, or a column with the kind of its part. */
    private record Part(
            @Nullable String column,
            String kind,
            String constant,
            @Nullable String digits) {

        static Part of(Matcher piece) {
            String kind = piece.group("kind");
            String constant = piece.group("constant");
            return constant != null
                    ? new Part(null, "plain", constant, null)
                    : new Part(piece.group("column"), kind == null ? "escaped" : kind, "", piece.group("digits"));
        }

        KeyFormat addedTo(KeyFormat format, int number) {
            String name = "part " + number + " " + (column == null ? constant : column);
            return switch (kind) {
                case "escaped" -> format.escaped(name);
                case "plain" -> format.text(name);
                case "number" -> format.number(name, width());
                case "time" -> format.time(name);
                case "newestFirst" -> format.newestFirst(name);
                case "secondsFirst" -> format.secondsFirst(name);
                case "uuid" -> format.uuid(name);
                default ->
                    throw new IllegalArgumentException("unknown kind " + kind
                            + "; there are escaped, plain, number(digits), time, newestFirst, secondsFirst and uuid");
            };
        }

        private int width() {
            if (digits == null) {
                throw new IllegalArgumentException("number needs its digits, as in number(8)");
            }
            return Integer.parseInt(digits);
        }
    }

    private KeyTemplate(String text, KeyFormat format, List<Part> parts) {
        this.text = text;
        this.format = format;
        this.parts = parts;
    }

    /**
     * Reads a template.
     *
     * @param option the option that gives it, for messages
     * @param text the template
     * @throws UsageException if there is no such format of keys
     */
    static KeyTemplate parse(String option, String text) {
        try {
            return parsed(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + " " + text + ": " + e.getMessage());
        }
    }

    private static KeyTemplate parsed(String text) {
        List<Part> parts = new ArrayList<>();
        String separator = "";
        String buckets = null;
        Matcher piece = PIECE.matcher(text);
        int end = 0;
        do {
            if (!piece.find() || piece.start() != end) {
                throw new IllegalArgumentException("{column}s and constants expected at position " + end);
            }
            end = piece.end();
            String between = piece.group("between");
            if (between.isEmpty() != (end == text.length())
                    || between.chars().distinct().count() > 1) {
                throw new IllegalArgumentException(
                        "one separator, repeated at the most, must stand between two parts at position " + end);
            }
            if (!between.isEmpty() && !separator.isEmpty() && !between.equals(separator)) {
                throw new IllegalArgumentException("the same separator must stand between all parts");
            }
            separator = between.isEmpty() ? separator : between;
            if (piece.group("buckets") == null) {
                parts.add(Part.of(piece));
            } else if (piece.start() == 0 && !between.isEmpty()) {
                buckets = piece.group("buckets");
            } else {
                throw new IllegalArgumentException("a hash stands first, before a separator");
            }
        } while (end < text.length());
        KeyFormat format =
                separator.isEmpty() ? KeyFormat.of() : KeyFormat.separatedBy(separator.charAt(0), separator.length());
        if (buckets != null) {
            format = format.withHash(Integer.parseInt(buckets));
        }
        for (int i = 0; i < parts.size(); i++) {
            format = parts.get(i).addedTo(format, i + 1);
        }
        return new KeyTemplate(text, format, parts);
    }

    /** Returns the columns that the key is made of. */
    List<String> columns() {
        return parts.stream().map(Part::column).filter(Objects::nonNull).toList();
    }

    /**
     * Makes the key of a row.
     *
     * @param values the row's values by column
     * @return the key
     * @throws RowRefusedException if a value is missing, or does not fit its part
     */
    String key(Map<String, Object> values) throws RowRefusedException {
        Object[] parted = new Object[parts.size()];
        for (int i = 0; i < parted.length; i++) {
            parted[i] = value(parts.get(i), values);
        }
        try {
            return format.format(parted);
        } catch (IllegalArgumentException e) {
            throw new RowRefusedException("key " + text + ": " + e.getMessage());
        }
    }

    private Object value(Part part, Map<String, Object> values) throws RowRefusedException {
        if (part.column() == null) {
            return part.constant();
        }
        Object value = values.get(part.column());
        if (value == null) {
            throw new RowRefusedException("key " + text + ": " + part.column() + " is missing");
        }
        try {
            return switch (part.kind()) {
                case "number" -> ColumnType.LONG.convert(value.toString());
                case "time", "newestFirst", "secondsFirst" -> ColumnType.TIME.convert(value.toString());
                case "uuid" -> ColumnType.UUID.convert(value.toString());
                default -> value.toString();
            };
        } catch (RuntimeException e) {
            throw new RowRefusedException("key " + text + ": " + part.column() + " is no " + part.kind());
        }
    }

    /** Returns the template as it was given. */
    @Override
    public String toString() {
        return text;
    }
}
