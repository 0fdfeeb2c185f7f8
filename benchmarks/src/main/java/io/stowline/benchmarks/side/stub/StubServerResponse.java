package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** A whole response in memory outside the heap, made once and sent many times. */
final class StubServerResponse {

    private static final byte[] NOTHING = new byte[0];

    private final ByteBuf bytes;

    /** Returns a response that is made for a request and sent once: it needs no memory outside the heap. */
    static StubServerResponse once(String status, String headers, String body) {
        byte[] text = body.getBytes(StandardCharsets.UTF_8);
        return new StubServerResponse(Unpooled.wrappedBuffer(head(status, headers, text.length), text));
    }

    /** Returns a response that is made for a request, with content that others share. */
    static StubServerResponse once(String status, String headers, ByteBuf content) {
        return new StubServerResponse(Unpooled.wrappedBuffer(
                Unpooled.wrappedBuffer(head(status, headers, content.readableBytes())), content));
    }

    private StubServerResponse(ByteBuf bytes) {
        this.bytes = bytes;
    }

    /** Returns a response to a HEAD of a content of this length. */
    static StubServerResponse ofLength(String status, String headers, long length) {
        return new StubServerResponse(Unpooled.unreleasableBuffer(Unpooled.directBuffer()
                .writeBytes(head(status, headers, length))
                .asReadOnly()));
    }

    static StubServerResponse of(String status, String headers) {
        return of(status, headers, NOTHING);
    }

    /** Returns a response; its headers end with a line end each. */
    static StubServerResponse of(String status, String headers, byte[] body) {
        byte[] head = head(status, headers, body.length);
        return new StubServerResponse(Unpooled.unreleasableBuffer(Unpooled.directBuffer(head.length + body.length)
                .writeBytes(head)
                .writeBytes(body)
                .asReadOnly()));
    }

    private static byte[] head(String status, String headers, long length) {
        return ("HTTP/1.1 " + status + "\r\nCache-Control: no-cache\r\nContent-Length: " + length + "\r\n"
                        + headers
                        + "Server: Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0\r\n"
                        + "x-ms-request-id: 5e9ab2c4-0002-0010-4f3a-5b1d2c000000\r\nx-ms-version: 2019-02-02\r\n"
                        + "X-Content-Type-Options: nosniff\r\nDate: Sat, 21 Nov 2026 03:48:35 GMT\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the bytes, to be written once. */
    ByteBuf bytes() {
        return bytes.retainedDuplicate();
    }
}
