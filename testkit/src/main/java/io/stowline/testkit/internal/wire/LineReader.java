package io.stowline.testkit.internal.wire;

import java.nio.charset.StandardCharsets;

/** Walks over the lines of a message once. Lines end with CRLF or LF. */
final class LineReader {

    private final byte[] bytes;
    private final int end;
    private int at;
    private int lineStart;
    private boolean cut;

    LineReader(Bytes body) {
        this.bytes = body.array();
        this.end = body.to();
        this.at = body.from();
        this.lineStart = at;
    }

    int position() {
        return at;
    }

    /** Returns the next line without its end; empty at the end of the message. */
    String next() {
        int to = endOfLine();
        int length = to > at && bytes[to - 1] == '\r' ? to - 1 - at : to - at;
        String line = new String(bytes, at, length, StandardCharsets.UTF_8);
        lineStart = at;
        at = Math.min(to + 1, end);
        return line;
    }

    /** Goes behind the next line that is a delimiter, and tells whether it opens another part: not when it is the last one. */
    boolean skipTo(String delimiter) {
        byte[] start = delimiter.getBytes(StandardCharsets.UTF_8);
        while (at < end) {
            boolean found = startsWith(start);
            boolean last = found && isLast(at + start.length);
            lineStart = at;
            at = Math.min(endOfLine() + 1, end);
            if (found) {
                return !last;
            }
        }
        lineStart = end;
        cut = true;
        return false;
    }

    /** Returns whether the message ended before a delimiter that was looked for. */
    boolean isCut() {
        return cut;
    }

    /** Returns the bytes between a position and the line that was read last, without the line end before it. */
    Bytes between(int from) {
        int to = lineStart;
        if (to > from && bytes[to - 1] == '\n') {
            to--;
        }
        if (to > from && bytes[to - 1] == '\r') {
            to--;
        }
        return new Bytes(bytes, from, Math.max(from, to));
    }

    private boolean isLast(int from) {
        return from + 1 < end && bytes[from] == '-' && bytes[from + 1] == '-';
    }

    private boolean startsWith(byte[] start) {
        if (end - at < start.length) {
            return false;
        }
        for (int i = 0; i < start.length; i++) {
            if (bytes[at + i] != start[i]) {
                return false;
            }
        }
        return true;
    }

    private int endOfLine() {
        int i = at;
        while (i < end && bytes[i] != '\n') {
            i++;
        }
        return i;
    }
}
