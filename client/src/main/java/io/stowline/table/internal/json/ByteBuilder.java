package io.stowline.table.internal.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** A growing buffer that takes JSON, URL and header text straight as bytes. Not thread-safe; meant to be used again. */
public final class ByteBuilder {

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LOWER_HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int FIRST = 1024;
    /** A buffer that has grown beyond this size is kept only while large contents come. */
    static final int KEPT = 256 * 1024;
    /** The contents in a row that have not needed a large buffer, after which it is left. */
    static final int PATIENCE = 16;
    /** The length from which on one bulk copy pays. */
    private static final int SHORT = 32;

    private static final int UUID_LENGTH = 36;
    private static final int MAX_LONG = 20;

    private final AsciiCopier plain = new AsciiCopier();
    private byte[] bytes = new byte[FIRST];
    private int size;
    private int small;

    public void clear() {
        small = size > KEPT ? 0 : small + 1;
        size = 0;
        if (bytes.length > KEPT && small >= PATIENCE) {
            bytes = new byte[FIRST];
        }
    }

    public int size() {
        return size;
    }

    public byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    /** Returns the bytes from a position on. */
    public byte[] copyFrom(int from) {
        return Arrays.copyOfRange(bytes, from, size);
    }

    public ByteBuilder raw(byte[] text) {
        return raw(text, text.length);
    }

    /** Writes the first bytes of a text. */
    public ByteBuilder raw(byte[] text, int length) {
        room(length);
        System.arraycopy(text, 0, bytes, size, length);
        size += length;
        return this;
    }

    /** Writes text that is known to be ASCII. */
    @SuppressWarnings("deprecation")
    public // the one copy without an intermediate array; the text is ASCII
    ByteBuilder ascii(String text) {
        int length = text.length();
        room(length);
        text.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    public ByteBuilder one(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
        return this;
    }

    public ByteBuilder number(long value) {
        room(MAX_LONG);
        if (value < 0) {
            bytes[size++] = '-';
        }
        long negative = value < 0 ? value : -value;
        int end = size + digits(negative);
        size = end;
        for (long rest = negative; end > 0; rest /= 10) {
            bytes[--end] = (byte) ('0' - rest % 10);
            if (rest > -10) {
                break;
            }
        }
        return this;
    }

    private static int digits(long negative) {
        int digits = 1;
        for (long bound = -10; negative <= bound; bound *= 10) {
            digits++;
            if (digits == MAX_LONG - 1) {
                break;
            }
        }
        return digits;
    }

    public ByteBuilder uuid(UUID value) {
        room(UUID_LENGTH);
        long high = value.getMostSignificantBits();
        long low = value.getLeastSignificantBits();
        hex(high >>> 32, 8).one('-').hex(high >>> 16, 4).one('-').hex(high, 4).one('-');
        return hex(low >>> 48, 4).one('-').hex(low, 12);
    }

    private ByteBuilder hex(long value, int digits) {
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            bytes[size++] = LOWER_HEX[(int) (value >>> shift) & 15];
        }
        return this;
    }

    /** Gives room for {@code length} bytes at {@link #position()} of {@link #array()}; call {@link #advance} after writing. */
    public ByteBuilder reserve(int length) {
        room(length);
        return this;
    }

    public byte[] array() {
        return bytes;
    }

    public int position() {
        return size;
    }

    public void advance(int length) {
        size += length;
    }

    /** Writes a JSON string with its quotes. */
    public ByteBuilder json(String text) {
        int length = text.length();
        room(length + 2);
        bytes[size++] = '"';
        int i = 0;
        while (i < length) {
            int end = Math.min(length, i + AsciiCopier.BLOCK);
            i = end - i < SHORT ? oneByOne(text, i, end) : block(text, i, end);
        }
        return one('"');
    }

    private int block(String text, int from, int to) {
        room(to - from);
        int done = plain.copy(text, from, to, bytes, size);
        size += done;
        return done == to - from ? to : oneByOne(text, from + done, to);
    }

    /** Writes until a place in the text, or one further if a surrogate pair lies across it; gives where it stopped. */
    private int oneByOne(String text, int from, int to) {
        room(6 * (to - from));
        byte[] target = bytes;
        int at = size;
        int i = from;
        while (i < to) {
            char c = text.charAt(i);
            if (c >= 0x80 || !AsciiCopier.is(c)) {
                break;
            }
            target[at++] = (byte) c;
            i++;
        }
        size = at;
        return i < to ? special(text, i, to) : to;
    }

    private int special(String text, int from, int to) {
        int i = from;
        while (i < to) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c >= 0x80) {
                utf8(c);
            } else if (AsciiCopier.is(c)) {
                bytes[size++] = (byte) c;
            } else {
                escape(c);
            }
        }
        return i;
    }

    private void escape(int c) {
        bytes[size++] = '\\';
        if (c >= 0x20) {
            bytes[size++] = (byte) c;
            return;
        }
        bytes[size++] = 'u';
        bytes[size++] = '0';
        bytes[size++] = '0';
        bytes[size++] = HEX[c >> 4];
        bytes[size++] = HEX[c & 15];
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

    /** Writes text in a URL: all but the unreserved characters of RFC 3986 become %XX of their UTF-8 bytes. */
    public ByteBuilder url(String text) {
        return percent(text, false);
    }

    /** Writes a key inside the quotes of an entity's address: each ' is doubled first. */
    public ByteBuilder key(String key) {
        return percent(key, true);
    }

    private ByteBuilder percent(String text, boolean quotesTwice) {
        int length = text.length();
        room(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (!unreserved(c)) {
                for (byte b : text.substring(i).getBytes(StandardCharsets.UTF_8)) {
                    percent(b, quotesTwice);
                }
                return this;
            }
            bytes[size++] = (byte) c;
        }
        return this;
    }

    private void percent(byte b, boolean quotesTwice) {
        room(6);
        if (unreserved((char) b)) {
            bytes[size++] = b;
            return;
        }
        for (int times = quotesTwice && b == '\'' ? 2 : 1; times > 0; times--) {
            bytes[size++] = '%';
            bytes[size++] = HEX[(b >> 4) & 15];
            bytes[size++] = HEX[b & 15];
        }
    }

    private static boolean unreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_'
                || c == '.'
                || c == '~';
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
