package io.stowline.testkit.internal.wire;

import java.nio.charset.StandardCharsets;

/** Reader that goes over the lines of a message once. Lines end with CRLF or LF. */
final class LineReader {

    private final Bytes body;
    private final String text;
    private int at;
    private int lineStart;
    private boolean cut;

    LineReader(Bytes body) {
        this.body = body;
        // In ISO 8859-1 each byte is one character.
        this.text = body.text(StandardCharsets.ISO_8859_1);
    }

    int position() {
        return at;
    }

    /** Returns the next line without its end; an empty one at the end of the message. */
    String next() {
        int from = at;
        nextLine();
        String line = body.part(from, at).text(StandardCharsets.UTF_8);
        return line.endsWith("\r\n") ? line.substring(0, line.length() - 2) : line.replaceFirst("\n$", "");
    }

    private void nextLine() {
        lineStart = at;
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
    }

    /** Goes behind the next line that is a delimiter; returns whether it opens another part: not when it is the last one. */
    boolean skipTo(String delimiter) {
        String bytes = new String(delimiter.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        while (at < text.length()) {
            nextLine();
            if (text.startsWith(bytes, lineStart)) {
                return !text.startsWith("--", lineStart + bytes.length());
            }
        }
        lineStart = at;
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
        to -= to > from && text.charAt(to - 1) == '\n' ? 1 : 0;
        to -= to > from && text.charAt(to - 1) == '\r' ? 1 : 0;
        return body.part(from, Math.max(from, to));
    }
}
