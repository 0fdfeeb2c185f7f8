package io.stowline.testkit.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.CannedAnswer;
import io.stowline.testkit.internal.strict.Probe;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BeingDeletedTest {

    private static final Probe CREATE_TABLE = Probe.table("POST", "/Tables").json("{\"TableName\":\"Gone\"}");
    private static final Probe DELETE_TABLE = Probe.table("DELETE", "/Tables('gone')");
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

    private final Exchange exchange = new Exchange(new BeingDeleted(2), request -> CannedAnswer.of(204));

    @Test
    void keepsATableFromBeingCreatedAgainForSomeTries() throws IOException {
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(204);
        exchange.send(DELETE_TABLE);

        CannedAnswer refused = exchange.send(CREATE_TABLE);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("\"code\":\"TableBeingDeleted\"");
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(409);
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(204);
        assertThat(exchange.send(CREATE_TABLE).status()).isEqualTo(204);
    }

    @Test
    void keepsATableFromBeingUsedUntilThen() throws IOException {
        Probe batch = Probe.table("POST", "/$batch").body("multipart/mixed; boundary=b", BATCH);
        exchange.send(DELETE_TABLE);

        assertThat(exchange.send(Probe.table("GET", "/gone()")).header("x-ms-error-code"))
                .isEqualTo("TableBeingDeleted");
        CannedAnswer transaction = exchange.send(batch);
        assertThat(transaction.status()).isEqualTo(202);
        assertThat(transaction.text())
                .contains("HTTP/1.1 409 Conflict")
                .contains("TableBeingDeleted")
                .contains("\"0:The specified table is being deleted.\"");
        assertThat(exchange.send(Probe.table("GET", "/other()")).status()).isEqualTo(204);

        exchange.send(CREATE_TABLE);
        exchange.send(CREATE_TABLE);
        assertThat(exchange.send(batch).status()).isEqualTo(204);
    }

    @Test
    void keepsQueuesAndContainersFromBeingCreatedAgain() throws IOException {
        exchange.send(Probe.queue("DELETE", "/gone"));
        exchange.send(Probe.blob("DELETE", "/gone?restype=container"));

        CannedAnswer queue = exchange.send(Probe.queue("PUT", "/gone?timeout=30"));
        CannedAnswer container = exchange.send(Probe.blob("PUT", "/gone?restype=container"));

        assertThat(queue.status()).isEqualTo(409);
        assertThat(queue.text()).contains("<Code>QueueBeingDeleted</Code>");
        assertThat(container.status()).isEqualTo(409);
        assertThat(container.text()).contains("<Code>ContainerBeingDeleted</Code>");
    }

    @Test
    void takesTheDeletionOfMessagesAndBlobsForNone() throws IOException {
        exchange.send(Probe.queue("DELETE", "/gone/messages"));
        exchange.send(Probe.blob("DELETE", "/gone/blob"));
        exchange.send(Probe.blob("DELETE", "/rootblob"));

        assertThat(exchange.send(Probe.queue("PUT", "/gone")).status()).isEqualTo(204);
        assertThat(exchange.send(Probe.blob("PUT", "/gone?restype=container")).status())
                .isEqualTo(204);
        assertThat(exchange.send(Probe.blob("PUT", "/rootblob?restype=container"))
                        .status())
                .isEqualTo(204);
    }

    @Test
    void takesADeletionThatFailedForNone() throws IOException {
        Exchange missing = new Exchange(new BeingDeleted(2), request -> CannedAnswer.of(404));

        missing.send(DELETE_TABLE);

        assertThat(missing.send(CREATE_TABLE).status()).isEqualTo(404);
    }
}
