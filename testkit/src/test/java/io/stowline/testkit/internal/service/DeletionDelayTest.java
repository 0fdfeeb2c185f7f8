package io.stowline.testkit.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.strict.StrictProbe;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeletionDelayTest {

    private static final StrictProbe CREATE_TABLE =
            StrictProbe.table("POST", "/Tables").json("{\"TableName\":\"Gone\"}");
    private static final StrictProbe DELETE_TABLE = StrictProbe.table("DELETE", "/Tables('gone')");
    private static final String BATCH = """
        --b
        Content-Type: multipart/mixed; boundary=c

        --c
        Content-Type: application/http

        POST http://127.0.0.1/devstoreaccount1/Gone HTTP/1.1

        {}
        --c--
        --b--
        """;

    private final ServiceExchange exchange = new ServiceExchange(new DeletionDelay(2), request -> StubResponse.of(204));

    @Test
    void keepsATableFromBeingCreatedAgainForSomeTries() throws IOException {
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(204);
        exchange.send(DELETE_TABLE);

        StubResponse refused = exchange.send(CREATE_TABLE);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("\"code\":\"TableBeingDeleted\"");
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(409);
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(204);
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(204);
    }

    @Test
    void keepsATableFromBeingUsedUntilThen() throws IOException {
        StrictProbe batch = StrictProbe.table("POST", "/$batch").body("multipart/mixed; boundary=b", BATCH);
        exchange.send(DELETE_TABLE);

        assertThat(exchange.send(StrictProbe.table("GET", "/gone()")).header("x-ms-error-code"))
                .isEqualTo("TableBeingDeleted");
        StubResponse transaction = exchange.send(batch);
        assertThat(transaction.status()).isEqualTo(202);
        assertThat(transaction.text())
                .contains("HTTP/1.1 409 Conflict")
                .contains("TableBeingDeleted")
                .contains("\"0:The specified table is being deleted.\"");
        assertThat(exchange.send(StrictProbe.table("GET", "/other()")).status()).isEqualTo(204);

        exchange.send(CREATE_TABLE);
        exchange.send(CREATE_TABLE);
        assertThat(exchange.send(batch).status()).isEqualTo(204);
    }

    @Test
    void keepsQueuesAndContainersFromBeingCreatedAgain() throws IOException {
        exchange.send(StrictProbe.queue("DELETE", "/gone"));
        exchange.send(StrictProbe.blob("DELETE", "/gone?restype=container"));

        StubResponse queue = exchange.send(StrictProbe.queue("PUT", "/gone?timeout=30"));
        StubResponse container = exchange.send(StrictProbe.blob("PUT", "/gone?restype=container"));

        assertThat(queue.status()).isEqualTo(409);
        assertThat(queue.text()).contains("<Code>QueueBeingDeleted</Code>");
        assertThat(container.status()).isEqualTo(409);
        assertThat(container.text()).contains("<Code>ContainerBeingDeleted</Code>");
    }

    @Test
    void takesTheDeletionOfMessagesAndBlobsForNone() throws IOException {
        exchange.send(StrictProbe.queue("DELETE", "/gone/messages"));
        exchange.send(StrictProbe.blob("DELETE", "/gone/blob"));
        exchange.send(StrictProbe.blob("DELETE", "/rootblob"));

        assertThat(exchange.send(StrictProbe.queue("PUT", "/gone")).status()).isEqualTo(204);
        assertThat(exchange.send(StrictProbe.blob("PUT", "/gone?restype=container"))
                        .status())
                .isEqualTo(204);
        assertThat(exchange.send(StrictProbe.blob("PUT", "/rootblob?restype=container"))
                        .status())
                .isEqualTo(204);
    }

    @Test
    void takesADeletionThatFailedForNone() throws IOException {
        ServiceExchange missing = new ServiceExchange(new DeletionDelay(2), request -> StubResponse.of(404));

        missing.send(DELETE_TABLE);

        assertThat(missing.send(CREATE_TABLE).status()).isEqualTo(404);
    }
}
