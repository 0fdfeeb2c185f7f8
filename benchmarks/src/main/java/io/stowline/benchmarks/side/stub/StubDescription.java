package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import io.stowline.benchmarks.side.work.Metadata;
import java.nio.charset.StandardCharsets;

/** The row in which a ring describes its accounts: it is read as it was written. Only on the event loop. */
final class StubDescription {

    /** The path of its table. */
    static final String PATH = "/stowlinering";

    private static final String ABSENT = "x-ms-error-code: ResourceNotFound\r\n";

    private String entity = "";
    private final StringBuilder body = new StringBuilder();

    /** Takes a piece of a body. */
    void take(ByteBuf bytes, int length) {
        body.append(bytes.toString(bytes.readerIndex(), length, StandardCharsets.UTF_8));
    }

    StubServerResponse respond(RequestHead head, StubServerResponse written) {
        if (!head.is("GET ")) {
            entity = body.toString();
            body.setLength(0);
            return written;
        }
        if (entity.isEmpty()) {
            return StubServerResponse.once("404 Not Found", ABSENT, "");
        }
        Metadata level = head.accepts();
        return StubServerResponse.once(
                "200 OK",
                "ETag: " + StubRows.ETAG + "\r\nContent-Type: " + level.contentType()
                        + "\r\nDataServiceVersion: 3.0;\r\n",
                entity);
    }
}
