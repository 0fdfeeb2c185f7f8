package io.stowline.table.internal.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A reader of the strings in JSON that hold more than plain ASCII. Not thread-safe. */
final class JsonEscapes {

    private static final char REPLACEMENT = '\uFFFD';

    private final byte[] bytes;
    private final StringBuilder text = new StringBuilder();
    private int end;

    JsonEscapes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the end of the last string, its quote included. */
    int end() {
        return end;
    }

    /**
     * Returns the string whose first byte is at {@code from} and whose first byte that is not plain is at {@code
     * special}.
     */
    String text(int from, int special) throws IOException {
        text.setLength(0);
        int run = from;
        int i = special;
        boolean plain = true;
        while (at(i) != '"') {
            int c = bytes[i];
            if (c == '\\') {
                append(run, i, plain);
                i = escape(i + 1);
                run = i;
                plain = true;
            } else if (c < 0) {
                plain = false;
                i++;
            } else {
                throw new IOException("a string holds a control character, at byte " + i);
            }
            i = AsciiCopier.end(bytes, i, bytes.length);
        }
        end = i + 1;
        if (run == from) {
            return decoded(run, i);
        }
        append(run, i, plain);
        return text.toString();
    }

    private int at(int index) throws IOException {
        if (index >= bytes.length) {
            throw new IOException("the text ends within a string");
        }
        return bytes[index];
    }

    private void append(int from, int to, boolean plain) throws IOException {
        if (!plain) {
            text.append(decoded(from, to));
            return;
        }
        for (int i = from; i < to; i++) {
            text.append((char) bytes[i]);
        }
    }

    /**
     * Bytes that are not UTF-8 leave a replacement character, and then the text does not become the same bytes again.
     */
    private String decoded(int from, int to) throws IOException {
        String decoded = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (decoded.indexOf(REPLACEMENT) >= 0) {
            byte[] again = decoded.getBytes(StandardCharsets.UTF_8);
            if (!Arrays.equals(again, 0, again.length, bytes, from, to)) {
                throw new IOException("a string is not UTF-8, between the bytes " + from + " and " + to);
            }
        }
        return decoded;
    }

    private int escape(int from) throws IOException {
        int c = at(from);
        switch (c) {
            case '"', '\\', '/' -> text.append((char) c);
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'u' -> {
                text.append(unit(from + 1));
                return from + 5;
            }
            default -> throw new IOException("a string holds an escape that JSON does not have, at byte " + from);
        }
        return from + 1;
    }

    private char unit(int from) throws IOException {
        int unit = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = Character.digit(at(i), 16);
            if (digit < 0) {
                throw new IOException("a string holds \\u without four hexadecimal digits, at byte " + i);
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }
}
