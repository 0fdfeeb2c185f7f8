package io.stowline.table.internal.format;

import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.EdmType;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The text of records with commas (RFC 4180), in which an empty field is absent and a quoted empty one is an empty text. */
final class CsvText {

    private CsvText() {}

    /** Returns a record with its line end; {@code null} is an absent field. */
    static String record(List<@Nullable String> fields) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            String field = fields.get(i);
            if (i > 0) {
                out.append(',');
            }
            if (field != null) {
                out.append(needsQuotes(field) ? '"' + field.replace("\"", "\"\"") + '"' : field);
            }
        }
        return out.append("\r\n").toString();
    }

    private static boolean needsQuotes(String field) {
        return field.isEmpty()
                || field.charAt(0) <= ' '
                || field.charAt(field.length() - 1) <= ' '
                || field.indexOf(',') >= 0
                || field.indexOf('"') >= 0
                || field.indexOf('\n') >= 0
                || field.indexOf('\r') >= 0;
    }

    /**
     * Returns the fields of a record without its line end; absent ones are {@code null}. A quote within an unquoted field is text.
     *
     * @throws IOException if a quote is open, or something follows a closed one
     */
    static List<@Nullable String> fields(String record) throws IOException {
        List<@Nullable String> fields = new ArrayList<>();
        int at = 0;
        while (true) {
            int begin = at;
            if (at < record.length() && record.charAt(at) == '"') {
                at = quoted(record, at + 1, fields);
            } else {
                int end = record.indexOf(',', at);
                int to = end < 0 ? record.length() : end;
                fields.add(to == at ? null : record.substring(at, to));
                at = to;
            }
            if (at == record.length()) {
                return fields;
            }
            if (record.charAt(at) != ',') {
                throw new IOException("field " + fields.size() + ": text follows the closing quote"
                        + (record.substring(begin, at).matches("(?s).*[\\r\\n].*")
                                ? ", which is lines behind the opening one: does that lack its own closing quote? Close it,"
                                : ": quote the field")
                        + " and double a quote that belongs to the text");
            }
            at++;
        }
    }

    private static int quoted(String record, int from, List<@Nullable String> fields) throws IOException {
        StringBuilder field = new StringBuilder();
        int at = from;
        while (true) {
            int quote = record.indexOf('"', at);
            if (quote < 0) {
                throw new IOException(
                        "field " + (fields.size() + 1) + ": its quote is not closed, neither on the line nor"
                                + " behind it: close it, or double a quote that belongs to the text and quote the field");
            }
            field.append(record, at, quote);
            if (quote + 1 < record.length() && record.charAt(quote + 1) == '"') {
                field.append('"');
                at = quote + 2;
            } else {
                fields.add(field.toString());
                return quote + 1;
            }
        }
    }

    /** Returns a value of a property as text. */
    static String value(Object value) {
        return switch (Objects.requireNonNull(EdmType.of(value), "the type")) {
            case DATETIME -> EdmDateTime.format((Instant) value);
            case BINARY -> Base64.getEncoder().encodeToString((byte[]) value);
            case STRING, BOOLEAN, INT32, INT64, DOUBLE, GUID -> value.toString();
        };
    }

    /** Returns the name of a value's type on the wire. */
    static String type(Object value) {
        return Objects.requireNonNull(EdmType.of(value), "the type").wireName();
    }
}
