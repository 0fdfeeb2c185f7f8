package io.stowline.table.internal.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that goes over JSON (RFC 8259) that has arrived whole, from left to right, and makes an object of nothing but what is requested (decision 34). Made for
 * rows: long texts without escapes and short numbers. Whatever is not JSON is an {@link IOException} that names the place. Not thread-safe.
 */
public final class JsonCursor {

    private static final int DEEPEST = 64;
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;
    private int at;
    private @Nullable JsonNumber number;
    private @Nullable JsonEscapes escapes;

    public JsonCursor(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The kind of a value. */
    public enum JsonShape {
        STRING,
        NUMBER,
        BOOLEAN,
        NULL,
        OBJECT,
        ARRAY
    }

    /** Returns the present position, for {@link #back}. */
    public int at() {
        return at;
    }

    /** Goes back to where it stood. */
    public void back(int before) {
        at = before;
    }

    /** Demands that nothing but white space follows. */
    public void end() throws IOException {
        if (peek() >= 0) {
            throw unexpected("the end");
        }
    }

    /** Returns the kind of the next value. */
    public JsonShape kind() throws IOException {
        int c = peek();
        return switch (c) {
            case '"' -> JsonShape.STRING;
            case '{' -> JsonShape.OBJECT;
            case '[' -> JsonShape.ARRAY;
            case 't', 'f' -> JsonShape.BOOLEAN;
            case 'n' -> JsonShape.NULL;
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> JsonShape.NUMBER;
            default -> throw unexpected("a value");
        };
    }

    /** Enters an object or array and returns whether there is anything in it. */
    public boolean enter(char opening, char closing) throws IOException {
        pass(opening);
        if (peek() != closing) {
            return true;
        }
        at++;
        return false;
    }

    /** Returns whether an element follows in the object or array; otherwise it has been left. */
    public boolean more(char closing) throws IOException {
        int c = peek();
        if (c != ',' && c != closing) {
            throw unexpected("a comma or " + closing);
        }
        at++;
        return c == ',';
    }

    /** Passes over a name and its colon if they stand there in exactly these bytes. */
    boolean passes(byte[] name) {
        if (!AsciiCopier.isAt(bytes, at, name)) {
            return false;
        }
        at += name.length;
        return true;
    }

    /** Reads a name with its colon. */
    public String name() throws IOException {
        String name = string();
        pass(':');
        return name;
    }

    /** Reads a string. */
    public String string() throws IOException {
        pass('"');
        int from = at;
        int end = AsciiCopier.end(bytes, from, bytes.length);
        if (end < bytes.length && bytes[end] == '"') {
            at = end + 1;
            return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
        }
        if (escapes == null) {
            escapes = new JsonEscapes(bytes);
        }
        String text = escapes.text(from, end);
        at = escapes.end();
        return text;
    }

    /** Reads a string that is likely to equal this one, which is then returned instead of a new one. */
    public String again(String likely) throws IOException {
        int length = likely.length();
        int end = at + length + 1;
        if (end >= bytes.length || bytes[at] != '"' || bytes[end] != '"') {
            return string();
        }
        for (int i = 0; i < length; i++) {
            char c = likely.charAt(i);
            if (bytes[at + 1 + i] != c || !AsciiCopier.is(c)) {
                return string();
            }
        }
        at = end + 1;
        return likely;
    }

    /** Reads a number; the result is good until the next one. */
    public JsonNumber number() throws IOException {
        JsonNumber found = number;
        if (found == null) {
            found = new JsonNumber(bytes);
            number = found;
        }
        at = found.read(at);
        return found;
    }

    /** Reads a boolean. */
    public boolean bool() throws IOException {
        boolean value = peek() == 't';
        literal(value ? TRUE : FALSE);
        return value;
    }

    /** Reads a scalar as text, {@code null} for anything else. */
    public @Nullable String scalar() throws IOException {
        return switch (kind()) {
            case STRING -> string();
            case NUMBER -> number().text();
            case BOOLEAN -> Boolean.toString(bool());
            case NULL, OBJECT, ARRAY -> {
                skip();
                yield null;
            }
        };
    }

    /**
     * Reads a scalar as text, or a token in the place of a value that is none, such as {@code NaN}; {@code null} for
     * anything else.
     */
    public @Nullable String token() throws IOException {
        int c = peek();
        if (c == '"' || c == '{' || c == '[') {
            return scalar();
        }
        int from = at;
        while (at < bytes.length && isOfToken(bytes[at])) {
            at++;
        }
        if (at == from) {
            throw unexpected("a value");
        }
        String text = new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
        return text.equals("null") ? null : text;
    }

    private static boolean isOfToken(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '+' && b <= '9' && b != ',' && b != '/')
                || b == '_';
    }

    /** Passes over a value, whatever it is. */
    public void skip() throws IOException {
        skip(0);
    }

    private void skip(int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IOException("values are nested deeper than " + DEEPEST + " levels at byte " + at);
        }
        switch (kind()) {
            case STRING -> skipString();
            case NUMBER -> number();
            case BOOLEAN -> bool();
            case NULL -> literal(NULL);
            case OBJECT -> {
                for (boolean more = enter('{', '}'); more; more = more('}')) {
                    name();
                    skip(depth + 1);
                }
            }
            case ARRAY -> {
                for (boolean more = enter('[', ']'); more; more = more(']')) {
                    skip(depth + 1);
                }
            }
        }
    }

    private void skipString() throws IOException {
        int end = AsciiCopier.end(bytes, at + 1, bytes.length);
        if (end < bytes.length && bytes[end] == '"') {
            at = end + 1;
        } else {
            string();
        }
    }

    private void literal(byte[] text) throws IOException {
        if (!passes(text)) {
            throw unexpected("true, false or null");
        }
    }

    private void pass(char expected) throws IOException {
        if (peek() != expected) {
            throw unexpected(expected == '"' ? "a string" : Character.toString(expected));
        }
        at++;
    }

    /** The next byte that is no white space, or -1 at the end. */
    private int peek() {
        while (at < bytes.length) {
            int c = bytes[at] & 0xFF;
            if (c > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t')) {
                return c;
            }
            at++;
        }
        return -1;
    }

    private IOException unexpected(String wanted) {
        String found = at < bytes.length ? String.format(Locale.ROOT, "the byte %02X", bytes[at]) : "the end";
        return new IOException(found + " stands where " + wanted + " belongs, at byte " + at + " of " + bytes.length);
    }
}
