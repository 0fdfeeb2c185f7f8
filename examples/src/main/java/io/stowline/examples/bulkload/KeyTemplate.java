package io.stowline.examples.bulkload;

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

    private static final Pattern PIECE =
            Pattern.compile("\\{(?<slot>[^{}]*)}|(?<constant>[\\p{L}\\p{N}]+)|(?<between>[^{}\\p{L}\\p{N}]+)");
    private static final Pattern SLOT =
            Pattern.compile("(?<column>.+?)(:(?<kind>[a-zA-Z]+)(\\((?<digits>\\d{1,2})\\))?)?");
    private static final Pattern HASH = Pattern.compile("hash\\((\\d{1,4})\\)");

    private final String text;
    private final KeyFormat format;
    private final List<Part> parts;

    /** A constant, or a column with the kind of its part. */
    private record Part(@Nullable String column, String kind, String constant) {}

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
            List<String> pieces = pieces(text);
            KeyFormat format = pieces.size() > 1 ? separatedBy(pieces) : KeyFormat.of();
            List<Part> parts = new ArrayList<>();
            for (int i = 0; i < pieces.size(); i += 2) {
                Matcher hash = HASH.matcher(inner(pieces.get(i)));
                if (i == 0 && pieces.size() > 1 && hash.matches()) {
                    format = format.withHash(Integer.parseInt(hash.group(1)));
                } else {
                    Part part = part(pieces.get(i));
                    format = with(format, part, "part " + (parts.size() + 1) + " " + pieces.get(i), pieces.get(i));
                    parts.add(part);
                }
            }
            return new KeyTemplate(text, format, List.copyOf(parts));
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + " " + text + ": " + e.getMessage());
        }
    }

    /** Parts and what is between them, in turn. */
    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        Matcher piece = PIECE.matcher(text);
        int end = 0;
        while (piece.find() && piece.start() == end) {
            boolean between = piece.group("between") != null;
            if (between != (pieces.size() % 2 == 1)) {
                throw new IllegalArgumentException("a separator must stand between two parts at position " + end);
            }
            pieces.add(piece.group());
            end = piece.end();
        }
        if (end != text.length() || pieces.size() % 2 == 0) {
            throw new IllegalArgumentException(
                    "{column}s and constants with one separator between them expected at position " + end);
        }
        return pieces;
    }

    private static KeyFormat separatedBy(List<String> pieces) {
        String separator = pieces.get(1);
        for (int i = 1; i < pieces.size(); i += 2) {
            if (!pieces.get(i).equals(separator) || separator.chars().distinct().count() != 1) {
                throw new IllegalArgumentException("one separator, repeated at the most, must stand between all parts");
            }
        }
        return KeyFormat.separatedBy(separator.charAt(0), separator.length());
    }

    private static String inner(String piece) {
        return piece.startsWith("{") ? piece.substring(1, piece.length() - 1) : "";
    }

    private static Part part(String piece) {
        if (!piece.startsWith("{")) {
            return new Part(null, "plain", piece);
        }
        Matcher slot = SLOT.matcher(inner(piece));
        if (!slot.matches()) {
            throw new IllegalArgumentException("a column without a name");
        }
        if (HASH.matcher(inner(piece)).matches()) {
            throw new IllegalArgumentException("a hash stands first, before a separator");
        }
        String kind = slot.group("kind");
        return new Part(slot.group("column"), kind == null ? "escaped" : kind, "");
    }

    private static KeyFormat with(KeyFormat format, Part part, String name, String piece) {
        return switch (part.kind()) {
            case "escaped" -> format.escaped(name);
            case "plain" -> format.text(name);
            case "number" -> format.number(name, digits(piece));
            case "time" -> format.time(name);
            case "newestFirst" -> format.newestFirst(name);
            case "secondsFirst" -> format.secondsFirst(name);
            case "uuid" -> format.uuid(name);
            default ->
                throw new IllegalArgumentException("unknown kind " + part.kind()
                        + "; there are escaped, plain, number(digits), time, newestFirst, secondsFirst and uuid");
        };
    }

    private static int digits(String piece) {
        Matcher slot = SLOT.matcher(inner(piece));
        String digits = slot.matches() ? slot.group("digits") : null;
        if (digits == null) {
            throw new IllegalArgumentException("number needs its digits, as in number(8)");
        }
        return Integer.parseInt(digits);
    }

    /** The columns that the key is made of. */
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

    /** The template as it was given. */
    @Override
    public String toString() {
        return text;
    }
}
