package io.stowline.transport.internal.netty.direct;

import io.stowline.transport.internal.http.MalformedResponseException;
import java.io.IOException;

/**
 * The framing of a response, by the headers of its head: where its body ends, and whether another response may follow on the connection.
 * Headers that contradict each other are an error. Not thread-safe.
 */
final class MessageFraming {

    private static final String CONTENT_LENGTH = "content-length";
    private static final String TRANSFER_ENCODING = "transfer-encoding";
    private static final String CONNECTION = "connection";
    private static final int MAX_DIGITS = 18;

    private long contentLength;
    private boolean chunked;
    private boolean persistent;

    /**
     * Begins with a status line.
     *
     * @param persists whether connections of its version persist by default
     */
    void begin(boolean persists) {
        contentLength = -1;
        chunked = false;
        persistent = persists;
    }

    /** Reads a header: its name and its value as parts of the head. */
    void header(byte[] head, int name, int colon, int start, int end) throws IOException {
        if (ResponseHead.same(head, name, colon, CONNECTION)) {
            connection(ResponseHead.text(head, start, end));
        } else if (ResponseHead.same(head, name, colon, CONTENT_LENGTH)) {
            contentLength(head, start, end);
        } else if (ResponseHead.same(head, name, colon, TRANSFER_ENCODING)) {
            if (chunked || !ResponseHead.same(head, start, end, "chunked")) {
                throw new MalformedResponseException("its transfer encoding is not chunked");
            }
            chunked = true;
        }
    }

    private void connection(String value) {
        for (String token : value.split(",", -1)) {
            persistent &= !token.strip().equalsIgnoreCase("close");
        }
    }

    private void contentLength(byte[] head, int start, int end) throws IOException {
        long length = 0;
        boolean number = start < end && end - start <= MAX_DIGITS;
        for (int i = start; number && i < end; i++) {
            int digit = head[i] - '0';
            number = digit >= 0 && digit <= 9;
            length = length * 10 + digit;
        }
        if (!number) {
            throw new MalformedResponseException("its length is no number");
        }
        if (contentLength >= 0 && contentLength != length) {
            throw new MalformedResponseException("it has two lengths");
        }
        contentLength = length;
    }

    /** Returns the announced length, or a negative number. */
    long contentLength() {
        return contentLength;
    }

    /** Returns whether the body comes in chunks. */
    boolean chunked() {
        return chunked;
    }

    /** Returns whether the connection can be used after the response. */
    boolean persistent() {
        return persistent;
    }
}
