package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Blobs;
import java.util.HashMap;
import java.util.Map;

/**
 * The responses of a container in which every blob exists with the length that its name gives, none has uncommitted blocks, and every
 * write succeeds. It counts the requests to it. Only on the event loop.
 */
final class StubContainer {

    static final String ETAG = "0x8DE2A1B2C3D4E5F";
    static final String TIME = "Sat, 21 Nov 2026 03:48:35 GMT";

    private static final String VERSION = "ETag: \"" + ETAG + "\"\r\nLast-Modified: " + TIME + "\r\n";
    private static final String CONTENT =
            VERSION + "Content-Type: application/octet-stream\r\nx-ms-blob-type: BlockBlob\r\n" + "x-ms-creation-time: "
                    + TIME + "\r\nAccept-Ranges: bytes\r\n";

    private final StubServerResponse written =
            StubServerResponse.of("201 Created", VERSION + "x-ms-request-server-encrypted: true\r\n");
    private final StubServerResponse copied = StubServerResponse.of(
            "202 Accepted",
            VERSION + "x-ms-copy-id: 9f3a5f2c-7f3e-4d0c-9a5e-0c8a4f4a1f10\r\nx-ms-copy-status: success\r\n");
    private final StubServerResponse changed = StubServerResponse.of("200 OK", VERSION);
    private final StubServerResponse nothingStaged =
            StubServerResponse.of("404 Not Found", "x-ms-error-code: BlobNotFound\r\n");
    private final StubContent content = new StubContent();
    private final StubListing listing = new StubListing(content);
    private final Map<Part, StubServerResponse> small = new HashMap<>();
    private final Map<Long, StubServerResponse> properties = new HashMap<>();
    private long requests;

    /** The requested part of a content; the range differs in the response only. */
    private record Part(long length, boolean checked, boolean ranged, ByteRange range) {}

    StubServerResponse respond(RequestHead head) {
        if (head.pathContains(Account.COUNT)) {
            return StubServerResponse.once("200 OK", "", Long.toString(requests));
        }
        requests++;
        if (head.is("HEAD ") && head.pathContains("/" + Blobs.ABSENT)) {
            return nothingStaged;
        }
        if (head.is("HEAD ")) {
            return properties.computeIfAbsent(
                    length(head), length -> StubServerResponse.ofLength("200 OK", CONTENT, length));
        }
        if (head.startsCopy()) {
            return copied;
        }
        if (!head.is("GET ")) {
            return head.pathContains("comp=properties") ? changed : written;
        }
        if (head.pathContains("comp=blocklist")) {
            return nothingStaged;
        }
        return head.pathContains("comp=list") ? listing.respond(head) : content(head);
    }

    private StubServerResponse content(RequestHead head) {
        long length = length(head);
        ByteRange range = head.ranged() ? head.range(length) : new ByteRange(0, length - 1);
        Part part = new Part(length, head.pathContains("/" + Blobs.CHECKED), head.ranged(), range);
        return length > Blobs.SIZE ? part(part) : small.computeIfAbsent(part, this::part);
    }

    private StubServerResponse part(Part part) {
        String md5 = part.checked ? "Content-MD5: " + content.md5(part.length) + "\r\n" : "";
        if (!part.ranged) {
            return StubServerResponse.once("200 OK", CONTENT + md5, content.bytes(part.range));
        }
        // With Content-MD5 alone it would be the hash of the part.
        return StubServerResponse.once(
                "206 Partial Content",
                CONTENT + "Content-Range: bytes " + part.range.first() + "-" + part.range.last() + "/" + part.length
                        + "\r\n" + (md5.isEmpty() ? "" : "x-ms-blob-" + md5),
                content.bytes(part.range));
    }

    private static long length(RequestHead head) {
        if (head.pathContains(Blobs.LONG_NAME)) {
            return head.pathDigits(Blobs.LONG_NAME) << 20;
        }
        return head.pathContains(Blobs.FOLDER_NAME) ? Blobs.SMALL : Blobs.SIZE;
    }
}
