package io.stowline.testkit.internal.wire;

import io.stowline.testkit.StubResponse;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.hc.core5.http.impl.EnglishReasonPhraseCatalog;

/** Response to a batch: 202, with a part for each operation, or one for the operation that failed. */
public final class BatchResponse {

    private static final String CRLF = "\r\n";

    private BatchResponse() {}

    public static StubResponse of(List<StubResponse> parts) {
        String batch = "batchresponse_" + UUID.randomUUID();
        String changeSet = "changesetresponse_" + UUID.randomUUID();
        StringBuilder text = new StringBuilder("--" + batch + CRLF)
                .append("Content-Type: multipart/mixed; boundary=" + changeSet + CRLF + CRLF);
        for (StubResponse part : parts) {
            text.append("--" + changeSet + CRLF)
                    .append("Content-Type: application/http" + CRLF)
                    .append("Content-Transfer-Encoding: binary" + CRLF + CRLF)
                    .append("HTTP/1.1 " + part.status() + " " + reason(part.status()) + CRLF);
            part.headerLines().forEach(line -> text.append(line.getKey() + ": " + line.getValue() + CRLF));
            text.append(CRLF + part.text() + CRLF);
        }
        text.append("--" + changeSet + "--" + CRLF + "--" + batch + "--" + CRLF);
        return StubResponse.of(202).body("multipart/mixed; boundary=" + batch, text.toString());
    }

    private static String reason(int status) {
        return EnglishReasonPhraseCatalog.INSTANCE.getReason(status, Locale.ROOT);
    }

    /**
     * Makes the response to a transaction that failed, in the form of the page "Performing Entity Group Transactions".
     *
     * @param index which operation failed, from 0
     * @param message the text, without the index
     */
    public static StubResponse failed(int status, String code, int index, String message) {
        return of(List.of(StubResponse.of(status)
                .header("Content-ID", Integer.toString(index + 1))
                .header("X-Content-Type-Options", "nosniff")
                .header("Cache-Control", "no-cache")
                .header("DataServiceVersion", "3.0;")
                .body(
                        "application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
                        ServiceErrorBody.json(code, index + ":" + message))));
    }
}
