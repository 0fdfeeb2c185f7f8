package io.stowline.system.recordings;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Response as a server writes it. Immutable. */
record CannedResponse(int status, String reason, HeaderFields headers, byte[] body) {

    static final String REQUEST_ID = "x-ms-request-id";
    static final String ETAG = "\"0x8D5B401339AE4F7\"";

    /** Returns a response that a test makes, where a verb needs more than the recorded one. */
    static CannedResponse of(int status, String body) {
        return new CannedResponse(
                status,
                "Made",
                new HeaderFields(List.of(
                        new HeaderFields.Field(REQUEST_ID, "made-by-the-test"),
                        new HeaderFields.Field("x-ms-version", "2020-12-06"),
                        new HeaderFields.Field("Date", "Fri, 10 Nov 2017 02:43:23 GMT"))),
                body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the response to a HEAD of a block blob. */
    static CannedResponse blob(String length) {
        return of(200, "")
                .with("Content-Length", length)
                .with("Content-Type", "text/plain")
                .with("ETag", ETAG)
                .with("Last-Modified", "Fri, 10 Nov 2017 02:43:23 GMT")
                .with("x-ms-blob-type", "BlockBlob");
    }

    CannedResponse with(String name, String value) {
        return new CannedResponse(status, reason, headers.with(name, value), body);
    }

    String text() {
        String text = new String(body, StandardCharsets.UTF_8);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
