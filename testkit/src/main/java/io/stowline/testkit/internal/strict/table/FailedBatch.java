package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.ServiceErrorBody;
import io.stowline.testkit.internal.strict.request.BatchBody;
import io.stowline.testkit.internal.strict.request.StrictRequest;
import java.util.Optional;
import java.util.UUID;

/** A transaction that fails: the response is 202, and its one part names the failed operation and the error. */
public final class FailedBatch {

    private static final String CRLF = "\r\n";

    private FailedBatch() {}

    /**
     * Returns the table that a transaction is about.
     *
     * @param request a request to the table service
     * @return the table of its first operation; empty when it is no batch or an empty one
     */
    public static Optional<String> table(SentRequest request) {
        StrictRequest call = StrictRequest.of(request, StorageService.TABLE);
        return call.address().isBatch()
                ? BatchBody.of(call)
                        .flatMap(batch -> batch.operations().stream().findFirst())
                        .map(operation -> operation.address().table())
                : Optional.empty();
    }

    /**
     * Returns the response to a transaction that failed, in the form of the page "Performing Entity Group Transactions".
     *
     * @param status the status of the operation, with its reason
     * @param code the error code
     * @param index which operation failed, from 0
     * @param message the text, without the index
     */
    public static StubResponse respond(String status, String code, int index, String message) {
        String outer = "batchresponse_" + UUID.randomUUID();
        String inner = "changesetresponse_" + UUID.randomUUID();
        String body = String.join(
                CRLF,
                "--" + outer,
                "Content-Type: multipart/mixed; boundary=" + inner,
                "",
                "--" + inner,
                "Content-Type: application/http",
                "Content-Transfer-Encoding: binary",
                "",
                "HTTP/1.1 " + status,
                "Content-ID: " + (index + 1),
                "X-Content-Type-Options: nosniff",
                "Cache-Control: no-cache",
                "DataServiceVersion: 3.0;",
                "Content-Type: application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
                "",
                ServiceErrorBody.json(code, index + ":" + message),
                "--" + inner + "--",
                "--" + outer + "--",
                "");
        return StubResponse.of(202).body("multipart/mixed; boundary=" + outer, body);
    }
}
