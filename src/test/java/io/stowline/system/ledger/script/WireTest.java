package io.stowline.system.ledger.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WireTest {

    private static final String BATCH = String.join(
            "\r\n",
            "--batch_1",
            "Content-Type: multipart/mixed; boundary=changeset_1",
            "",
            "--changeset_1",
            "Content-Type: application/http",
            "Content-Transfer-Encoding: binary",
            "",
            "POST http://127.0.0.1/acct/t HTTP/1.1",
            "Content-ID: 1",
            "",
            "{\"PartitionKey\":\"p\",\"RowKey\":\"a\",\"value\":\"one\"}",
            "--changeset_1",
            "Content-Type: application/http",
            "",
            "PUT http://127.0.0.1/acct/t(PartitionKey='p',RowKey='b') HTTP/1.1",
            "If-Match: W/\"datetime'x'\"",
            "",
            "{\"value\":\"two\"}",
            "--changeset_1--");

    private static SentRequest request(String method, String target, Map<String, String> headers, String body) {
        return SentRequest.of(method, target, headers, body.getBytes(StandardCharsets.UTF_8))
                .withService(StorageService.TABLE);
    }

    private static StubResponse batchResponse(String... statuses) {
        StringBuilder body = new StringBuilder("--batchresponse_1\r\n");
        for (String status : statuses) {
            body.append("--changesetresponse_1\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 ")
                    .append(status)
                    .append("\r\nETag: W/\"")
                    .append(status)
                    .append("\"\r\n\r\n");
        }
        return StubResponse.of(202).body("multipart/mixed", body.toString());
    }

    @Test
    void readsKeysFromTheAddress() {
        SentRequest merge = request(
                "MERGE",
                "/acct/t(PartitionKey=%27p%27,RowKey=%27r%27)?timeout=1",
                Map.of("If-Match", "W/\"1\""),
                "{\"note\":\"n\"}");

        assertThat(Wire.changes(merge)).containsExactly(new Change(Verb.MERGE, new Key("p", "r"), "n", "W/\"1\""));
    }

    @Test
    void anyVersionIsNone() {
        SentRequest delete = request("DELETE", "/acct/t(PartitionKey='p',RowKey='r')", Map.of("If-Match", "*"), "");

        assertThat(Wire.changes(delete)).containsExactly(new Change(Verb.DELETE, new Key("p", "r"), "", ""));
    }

    @Test
    void readsTransactions() {
        assertThat(Wire.changes(request("POST", "/acct/$batch", Map.of(), BATCH)))
                .containsExactly(
                        new Change(Verb.INSERT, new Key("p", "a"), "one", ""),
                        new Change(Verb.UPDATE, new Key("p", "b"), "two", "W/\"datetime'x'\""));
    }

    @Test
    void aTransactionIsCarriedOutOnlyAsAWhole() {
        SentRequest batch = request("POST", "/acct/$batch", Map.of(), BATCH);

        assertThat(Wire.applied(batch, batchResponse("201 Created", "204 No Content")))
                .isTrue();
        assertThat(Wire.etags(batch, batchResponse("201 Created", "204 No Content")))
                .containsExactly("W/\"201 Created\"", "W/\"204 No Content\"");
        assertThat(Wire.applied(batch, batchResponse("409 Conflict"))).isFalse();
    }

    @Test
    void readsAreNoWrites() {
        SentRequest get = request("GET", "/acct/t()", Map.of(), "");

        assertThat(Wire.applied(get, StubResponse.of(200))).isFalse();
        assertThat(Wire.changes(get)).isEmpty();
    }
}
