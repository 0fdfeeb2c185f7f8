package io.stowline.table.internal.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * A copier of text that stands in JSON as it is: ASCII without quotes, backslashes and control characters. It goes in blocks through what
 * the JVM vectorizes, then eight bytes at a time. Not thread-safe.
 */
public final class AsciiCopier {

    /** The most characters that are copied at once. */
    static final int BLOCK = 512;

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final boolean[] PLAIN = new boolean[0x80];

    static {
        for (char c = 0x20; c < 0x80; c++) {
            PLAIN[c] = c != '"' && c != '\\';
        }
    }

    private final CharsetEncoder latin1 = StandardCharsets.ISO_8859_1.newEncoder();
    private final char[] chars = new char[BLOCK];
    private final CharBuffer source = CharBuffer.wrap(chars);
    private ByteBuffer target = ByteBuffer.allocate(0);

    /** Returns whether an ASCII character stands in JSON unescaped. */
    static boolean is(int ascii) {
        return PLAIN[ascii];
    }

    /** Copies what is plain of a block of text, up to the first character that is not, and gives how much that was. */
    int copy(String text, int from, int to, byte[] bytes, int at) {
        text.getChars(from, to, chars, 0);
        if (target.array() != bytes) {
            target = ByteBuffer.wrap(bytes);
        }
        source.clear().limit(to - from);
        target.clear().position(at);
        CoderResult end = latin1.reset().encode(source, target, true);
        if (end.isOverflow()) {
            throw new IllegalArgumentException("no room for " + (to - from) + " characters");
        }
        return end(bytes, at, at + source.position()) - at;
    }

    /** Returns the position of the first byte that is not plain, or the end. */
    public static int end(byte[] bytes, int from, int to) {
        int i = from;
        for (; i + 8 <= to; i += 8) {
            long special = special((long) EIGHT.get(bytes, i));
            if (special != 0) {
                return i + (Long.numberOfTrailingZeros(special) >> 3);
            }
        }
        while (i < to && bytes[i] >= 0 && PLAIN[bytes[i]]) {
            i++;
        }
        return i;
    }

    /**
     * The lowest set bit is in the first byte that is not plain: such a byte without a high bit borrows in the subtraction, and only bytes
     * behind it see that. Exchanged with the blank, the quote is next to the control characters.
     */
    private static long special(long eight) {
        long controlsAndQuotes = (eight ^ (('"' ^ ' ') * ONES)) - (' ' + 1) * ONES;
        long backslashes = (eight ^ ('\\' * ONES)) - ONES;
        return (eight | controlsAndQuotes | backslashes) & HIGH_BITS;
    }

    /** Returns whether these bytes stand at a position. */
    static boolean isAt(byte[] bytes, int at, byte[] wanted) {
        int length = wanted.length;
        if (length > bytes.length - at) {
            return false;
        }
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            if ((long) EIGHT.get(bytes, at + i) != (long) EIGHT.get(wanted, i)) {
                return false;
            }
        }
        if (length >= 8) {
            return (long) EIGHT.get(bytes, at + length - 8) == (long) EIGHT.get(wanted, length - 8);
        }
        while (i < length && bytes[at + i] == wanted[i]) {
            i++;
        }
        return i == length;
    }

    public static int put(byte[] source, byte[] target, int at) {
        System.arraycopy(source, 0, target, at, source.length);
        return at + source.length;
    }

    @SuppressWarnings("deprecation")
    public // the one copy without an intermediate array; the text is ASCII
    static int put(String ascii, byte[] target, int at) {
        ascii.getBytes(0, ascii.length(), target, at);
        return at + ascii.length();
    }
}
