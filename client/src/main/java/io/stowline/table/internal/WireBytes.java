package io.stowline.table.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer that takes JSON, URL and header text straight as bytes. Not thread-safe; meant to be used again. */
final class WireBytes {

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    /** A buffer that one large entity has blown up is not kept beyond this size. */
    private static final int KEPT = 256 * 1024;

    private byte[] bytes = new byte[1024];
    private int size;

    void clear() {
        size = 0;
        if (bytes.length > KEPT) {
            bytes = new byte[1024];
        }
    }

    int size() {
        return size;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    WireBytes raw(byte[] text) {
        room(text.length);
        System.arraycopy(text, 0, bytes, size, text.length);
        size += text.length;
        return this;
    }

    /** Text that is known to be ASCII. */
    @SuppressWarnings("deprecation") // the one copy without an intermediate array; the text is ASCII
    WireBytes ascii(String text) {
        int length = text.length();
        room(length);
        text.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    WireBytes one(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
        return this;
    }

    WireBytes number(long value) {
        return ascii(Long.toString(value));
    }

    /** Gives room for {@code length} bytes at {@link #position()} of {@link #array()}; call {@link #advance} after writing. */
    WireBytes reserve(int length) {
        room(length);
        return this;
    }

    byte[] array() {
        return bytes;
    }

    int position() {
        return size;
    }

    void advance(int length) {
        size += length;
    }

    /** A JSON string with its quotes. */
    WireBytes json(String text) {
        int length = text.length();
        room(length + 2);
        bytes[size++] = '"';
        int i = 0;
        while (i < length) {
            char c = text.charAt(i);
            if (c >= 0x80 || c < 0x20 || c == '"' || c == '\\') {
                break;
            }
            bytes[size++] = (byte) c;
            i++;
        }
        if (i < length) {
            jsonRest(text, i);
        }
        return one('"');
    }

    private void jsonRest(String text, int from) {
        int i = from;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            room(6);
            if (c >= 0x80) {
                utf8(c);
            } else if (c == '"' || c == '\\') {
                bytes[size++] = '\\';
                bytes[size++] = (byte) c;
            } else if (c < 0x20) {
                ascii("\\u00");
                bytes[size++] = HEX[c >> 4];
                bytes[size++] = HEX[c & 15];
            } else {
                bytes[size++] = (byte) c;
            }
        }
    }

    private void utf8(int c) {
        if (c < 0x800) {
            bytes[size++] = (byte) (0xC0 | (c >> 6));
        } else if (c < 0x10000) {
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException("a text holds half of a surrogate pair (U+" + Integer.toHexString(c)
                        + "), which cannot be sent");
            }
            bytes[size++] = (byte) (0xE0 | (c >> 12));
            bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        } else {
            bytes[size++] = (byte) (0xF0 | (c >> 18));
            bytes[size++] = (byte) (0x80 | ((c >> 12) & 0x3F));
            bytes[size++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        }
        bytes[size++] = (byte) (0x80 | (c & 0x3F));
    }

    /** Text in a URL: all but the unreserved characters of RFC 3986 become %XX of their UTF-8 bytes. */
    WireBytes url(String text) {
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            percent(b);
        }
        return this;
    }

    /** A key inside the quotes of an entity's address: each ' is doubled first. */
    WireBytes key(String key) {
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            if (b == '\'') {
                percent(b);
            }
            percent(b);
        }
        return this;
    }

    private void percent(byte b) {
        room(3);
        boolean unreserved = (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '_'
                || b == '.'
                || b == '~';
        if (unreserved) {
            bytes[size++] = b;
        } else {
            bytes[size++] = '%';
            bytes[size++] = HEX[(b >> 4) & 15];
            bytes[size++] = HEX[b & 15];
        }
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    @Override
    public String toString() {
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
    }
}
