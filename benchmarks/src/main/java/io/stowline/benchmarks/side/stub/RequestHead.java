package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A reader of the head of a request, for the parts that a stub must know. One for each connection, used again and again. */
final class RequestHead {

    private static final int QUOTE_ESCAPED = 3;
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ACCEPT = "accept:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RANGE = "x-ms-range:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ENCODING = "transfer-encoding:".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] COPY_SOURCE = "x-ms-copy-source:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BLOB_TYPE = "x-ms-blob-type:".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[4 * 1024];
    private int length;

    /** Takes one more byte. */
    boolean endsWith(byte next) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = next;
        return next == '\n'
                && length > 3
                && bytes[length - 2] == '\r'
                && bytes[length - 3] == '\n'
                && bytes[length - 4] == '\r';
    }

    void clear() {
        length = 0;
    }

    /** Returns whether the first line begins so. */
    boolean is(String method) {
        return startsWith(method, 0);
    }

    boolean pathContains(String text) {
        return pathIndex(text) >= 0;
    }

    /** Returns the value of an option of the query, or the empty string. */
    String option(String name) {
        int at = pathIndex(name + "=");
        if (at < 0) {
            return "";
        }
        int from = at + name.length() + 1;
        int to = from;
        while (bytes[to] != '&' && bytes[to] != ' ') {
            to++;
        }
        return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
    }

    /** Returns the number in quotation marks, as they are or escaped, after a name in the path. */
    long pathDigits(String name) {
        int at = pathIndex(name) + name.length();
        at += bytes[at] == '%' ? QUOTE_ESCAPED : 1;
        long value = 0;
        while (bytes[at] >= '0' && bytes[at] <= '9') {
            value = value * 10 + bytes[at++] - '0';
        }
        return value;
    }

    /** Returns the number right after a name in the path. */
    long number(String name) {
        int at = pathIndex(name) + name.length();
        long value = 0;
        while (bytes[at] >= '0' && bytes[at] <= '9') {
            value = value * 10 + bytes[at++] - '0';
        }
        return value;
    }

    int contentLength() {
        int at = valueOf(LENGTH);
        int value = 0;
        while (at > 0 && bytes[at] >= '0' && bytes[at] <= '9') {
            value = value * 10 + bytes[at++] - '0';
        }
        return value;
    }

    /** Returns whether a part of the content is requested. */
    boolean ranged() {
        return valueOf(RANGE) > 0;
    }

    /** Returns the requested part of a content of this length. */
    ByteRange range(long contentLength) {
        int from = valueOf(RANGE);
        String text = new String(bytes, from, lineEnd(from) - from, StandardCharsets.US_ASCII).trim();
        int dash = text.indexOf('-');
        String last = text.substring(dash + 1);
        return new ByteRange(
                Long.parseLong(text.substring(text.indexOf('=') + 1, dash)),
                last.isEmpty() ? contentLength - 1 : Math.min(Long.parseLong(last), contentLength - 1));
    }

    /** Returns whether the service goes on with it after its response: Copy Blob names no type. */
    boolean startsCopy() {
        return valueOf(COPY_SOURCE) > 0 && valueOf(BLOB_TYPE) < 0;
    }

    boolean chunked() {
        return valueOf(ENCODING) > 0;
    }

    /** Returns the requested metadata; the option {@code $format} goes before the header. */
    Metadata accepts() {
        String format = option("$format");
        if (!format.isEmpty()) {
            return Metadata.of(format);
        }
        int from = valueOf(ACCEPT);
        if (from < 0) {
            return Metadata.MINIMAL;
        }
        return Metadata.of(new String(bytes, from, lineEnd(from) - from, StandardCharsets.US_ASCII));
    }

    private int pathIndex(String text) {
        return find(text, 0, lineEnd(0));
    }

    private int find(String text, int from, int to) {
        for (int i = from; i + text.length() <= to; i++) {
            if (startsWith(text, i)) {
                return i;
            }
        }
        return -1;
    }

    private boolean startsWith(String text, int at) {
        for (int i = 0; i < text.length(); i++) {
            if (bytes[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the position of a header's value, or -1. */
    private int valueOf(byte[] name) {
        for (int line = lineEnd(0) + 1; line + name.length < length; line = lineEnd(line) + 1) {
            if (named(name, line)) {
                int at = line + name.length;
                while (bytes[at] == ' ') {
                    at++;
                }
                return at;
            }
        }
        return -1;
    }

    /** Names are ASCII in any case. */
    private boolean named(byte[] name, int at) {
        for (int i = 0; i < name.length; i++) {
            byte is = bytes[at + i];
            if (is != name[i] && (is | 0x20) != name[i]) {
                return false;
            }
        }
        return true;
    }

    private int lineEnd(int from) {
        int at = from;
        while (at < length - 1 && bytes[at] != '\n') {
            at++;
        }
        return at;
    }
}
