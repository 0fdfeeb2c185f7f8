package io.stowline.transport.internal.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A reader of the embedded HTTP responses of a multipart body: each begins with a status line and ends at the next
 * boundary.
 */
public final class MultipartReader {

    private static final byte[] HTTP = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    private static final String ETAG = "etag";
    private static final byte[] DASHES = "--".getBytes(StandardCharsets.US_ASCII);

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LINE_ENDS = '\n' * ONES;

    private final byte[] bytes;
    private int line;
    private int partFrom;
    private int status;
    private int headersFrom;
    private int etagFrom;
    private int etagTo;
    private int bodyFrom;
    private int bodyTo;

    public MultipartReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Moves to the next embedded response. */
    public boolean next() {
        partFrom = line;
        while (line < bytes.length && !startsWith(HTTP, line)) {
            line = nextLine(line);
        }
        if (line >= bytes.length) {
            return false;
        }
        status = number(line + HTTP.length + 2);
        headersFrom = nextLine(line);
        etagFrom = 0;
        etagTo = 0;
        int at = headersFrom;
        while (at < bytes.length && !blank(at) && !startsWith(DASHES, at)) {
            int end = nextLine(at);
            if (etagTo == 0 && isHeader(ETAG, at, end)) {
                etagFrom = at + ETAG.length() + 1;
                etagTo = end;
            }
            at = end;
        }
        bodyFrom = at < bytes.length && blank(at) ? nextLine(at) : at;
        at = bodyFrom;
        while (at < bytes.length && !startsWith(DASHES, at)) {
            at = nextLine(at);
        }
        bodyTo = at;
        line = at;
        return true;
    }

    /** Returns the status, or 0 if the status line has none. */
    public int status() {
        return status;
    }

    /** Returns the ETag of the response, or the empty string: {@link #header} for the one header that each part has. */
    public String etag() {
        return stripped(etagFrom, etagTo);
    }

    /** Returns the value of a header of the response by its name in any case, or the empty string. */
    public String header(String name) {
        return header(name, headersFrom, bodyFrom);
    }

    /** Returns the value of a header of the part around the response. */
    public String partHeader(String name) {
        return header(name, partFrom, headersFrom);
    }

    private String header(String name, int from, int to) {
        int at = from;
        while (at < to) {
            int end = nextLine(at);
            if (isHeader(name, at, end)) {
                return stripped(at + name.length() + 1, end);
            }
            at = end;
        }
        return "";
    }

    /** Returns whether a boundary follows the part, so that it is complete. */
    public boolean isComplete() {
        return bodyTo < bytes.length;
    }

    public String body() {
        return text(bodyFrom, bodyTo);
    }

    private boolean isHeader(String name, int from, int to) {
        int colon = from + name.length();
        return colon < to && bytes[colon] == ':' && named(name, from);
    }

    private boolean named(String name, int at) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.toLowerCase((char) bytes[at + i]) != Character.toLowerCase(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private String stripped(int from, int to) {
        int begin = from;
        int end = to;
        while (begin < end && bytes[begin] >= 0 && bytes[begin] <= ' ') {
            begin++;
        }
        while (begin < end && bytes[end - 1] >= 0 && bytes[end - 1] <= ' ') {
            end--;
        }
        return text(begin, end);
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private int number(int at) {
        int value = 0;
        for (int i = at; i < at + 3; i++) {
            if (i >= bytes.length || bytes[i] < '0' || bytes[i] > '9') {
                return 0;
            }
            value = value * 10 + bytes[i] - '0';
        }
        return value;
    }

    private boolean blank(int at) {
        return bytes[at] == '\n' || (bytes[at] == '\r' && at + 1 < bytes.length && bytes[at + 1] == '\n');
    }

    private boolean startsWith(byte[] text, int at) {
        if (at + text.length > bytes.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (bytes[at + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads eight bytes at a time: a byte that is the line's end, and the first such byte only, keeps its high bit. */
    private int nextLine(int at) {
        int i = at;
        for (; i + 8 <= bytes.length; i += 8) {
            long others = (long) EIGHT.get(bytes, i) ^ LINE_ENDS;
            long ends = (others - ONES) & ~others & HIGH_BITS;
            if (ends != 0) {
                return i + Long.numberOfTrailingZeros(ends) / 8 + 1;
            }
        }
        while (i < bytes.length && bytes[i] != '\n') {
            i++;
        }
        return Math.min(i + 1, bytes.length);
    }
}
