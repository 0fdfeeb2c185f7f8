package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Blobs;

/** The answers of a container in which every blob is there, none has uncommitted blocks, and every write succeeds. */
final class StubContainer {

    private static final String VERSION =
            "ETag: \"0x8DE2A1B2C3D4E5F\"\r\nLast-Modified: Sat, 21 Nov 2026 03:48:35 GMT\r\n";
    private static final String CONTENT =
            VERSION + "Content-Type: application/octet-stream\r\nx-ms-blob-type: BlockBlob\r\n"
                    + "x-ms-creation-time: Sat, 21 Nov 2026 03:48:35 GMT\r\nAccept-Ranges: bytes\r\n";

    private final Answer written = Answer.of("201 Created", VERSION + "x-ms-request-server-encrypted: true\r\n");
    private final Answer nothingStaged = Answer.of("404 Not Found", "x-ms-error-code: BlobNotFound\r\n");
    private final Answer whole = Answer.of("200 OK", CONTENT, Blobs.CONTENT);
    private final Answer part = Answer.of(
            "206 Partial Content",
            CONTENT + "Content-Range: bytes 0-" + (Blobs.SIZE - 1) + "/" + Blobs.SIZE + "\r\n",
            Blobs.CONTENT);

    Answer answer(RequestHead head) {
        if (!head.is("GET ")) {
            return written;
        }
        if (head.pathContains("comp=blocklist")) {
            return nothingStaged;
        }
        return head.ranged() ? part : whole;
    }
}
