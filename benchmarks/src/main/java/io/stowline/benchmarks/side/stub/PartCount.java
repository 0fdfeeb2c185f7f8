package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A counter of the operations of a change set as its bytes come in, in pieces of any size: the lines that begin with its boundary, but for
 * the last, which ends it. JSON has no line ends in it, so that nearly all of a body is skipped by Netty's search for them.
 */
final class PartCount {

    private static final byte[] BOUNDARY = "--changeset_".getBytes(StandardCharsets.US_ASCII);
    private static final int ELSEWHERE = -1;

    private int matched;
    private int lines;

    void clear() {
        matched = 0;
        lines = 0;
    }

    int operations() {
        return Math.max(0, lines - 1);
    }

    /** Takes the readable bytes up to an index. */
    void take(ByteBuf bytes, int end) {
        int at = bytes.readerIndex();
        while (at < end) {
            if (matched == ELSEWHERE) {
                int lineEnd = bytes.indexOf(at, end, (byte) '\n');
                if (lineEnd < 0) {
                    return;
                }
                matched = 0;
                at = lineEnd + 1;
            } else {
                match(bytes.getByte(at++));
            }
        }
    }

    private void match(byte next) {
        if (next != BOUNDARY[matched]) {
            matched = next == '\n' ? 0 : ELSEWHERE;
        } else if (++matched == BOUNDARY.length) {
            lines++;
            matched = ELSEWHERE;
        }
    }
}
