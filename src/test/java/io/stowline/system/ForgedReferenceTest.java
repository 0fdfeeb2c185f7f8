package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sender writes envelopes by itself, which name blobs of others. */
@Timeout(60)
@DisplayName("QUEUE-6: a message that names a blob that is none of its own is undecodable, and the blob stays as it is")
class ForgedReferenceTest {

    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);

    private final MemoryStorage memory = MemoryStorage.create();
    private final ClaimCheckQueue reports = new ClaimCheckQueue(memory);
    private final Stowline storage = reports.storage;
    private final BlobContainer bodies = reports.bodies;
    private final MessageQueue<byte[]> queue = reports.queue;

    @AfterEach
    void close() {
        reports.close();
    }

    private void forge(String blob, String etag) throws Exception {
        String hash = Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(SECRET));
        storage.queue("reports")
                .send("{\"specversion\":\"1.0\",\"id\":\"" + UUID.randomUUID()
                        + "\",\"source\":\"reports\",\"type\":\"io.stowline.message\",\"stowline\":1,\"datahash\":\""
                        + hash
                        + "\",\"dataetag\":\"" + etag.replace("\"", "\\\"") + "\",\"dataref\":\"" + blob + "\"}");
    }

    private String blobs() {
        return bodies.stream()
                .map(blob -> blob.name() + blob.etag() + blob.metadata())
                .toList()
                .toString();
    }

    private BlobInfo onlyBlob() {
        return bodies.stream().findFirst().orElseThrow();
    }

    private void consumeToPoison() {
        try (QueueConsumer consumer = queue.consume(m -> {}).start()) {
            while (consumer.stats().poisoned() == 0) {
                ShortPause.park();
            }
        }
    }

    private void leavesBlobs(String blob, String etag) throws Exception {
        String before = blobs();
        long others = queue.approximateCount();
        forge(blob, etag);
        ReceivedMessage<byte[]> received = queue.receive().orElseThrow();
        assertThat(received.isDecodable()).isFalse();
        assertThat(received.failure().orElseThrow())
                .hasMessageContaining("it names a blob that cannot hold its body")
                .hasMessageNotContaining("now");
        queue.delete(received);
        assertThat(queue.approximateCount()).isEqualTo(others);

        forge(blob, etag);
        queue.hold(queue.receive().orElseThrow()).complete();
        forge(blob, etag);
        consumeToPoison();
        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);
        consumeToPoison();
        queue.poison().clear();

        assertThat(queue.poison().count()).isZero();
        assertThat(queue.approximateCount()).isEqualTo(others);
        assertThat(blobs()).isEqualTo(before);
    }

    @Test
    @DisplayName("a blob outside of the folder is neither read, marked nor removed")
    void outside() throws Exception {
        bodies.upload(SECRET, "invoices/1", upload -> upload.metadata(Map.of("customer", "7")));

        leavesBlobs("invoices/1", onlyBlob().etag());
        leavesBlobs("invoices/1", "*");
    }

    @Test
    @DisplayName("a blob in the folder that holds the body of another message is neither read, marked nor removed")
    void ofAnotherMessage() throws Exception {
        queue.send(new byte[100_000]);
        ReceivedMessage<byte[]> victim = queue.receive().orElseThrow();

        leavesBlobs(onlyBlob().name(), onlyBlob().etag());
        leavesBlobs(onlyBlob().name(), "*");

        queue.delete(victim);
        assertThat(bodies.stream()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "0x1", "W/\\\"0x1\\\"", ""})
    @DisplayName("a version that names no single blob removes nothing, also of the message's own blob")
    void versions(String etag) {
        queue.send(new byte[100_000]);
        MessageQueue<String> texts = storage.queue("reports");
        ReceivedMessage<String> sent = texts.receive().orElseThrow();
        texts.delete(sent);
        texts.send(sent.body()
                .replaceFirst(
                        "\"dataetag\":\"\\\\\"[^\"]*\"\"", "\"dataetag\":\"" + etag.replace("\\", "\\\\") + "\""));

        ReceivedMessage<byte[]> received = queue.receive().orElseThrow();
        assertThat(received.isDecodable()).isFalse();
        queue.delete(received);
        assertThat(bodies.stream()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "reports",
                "reports/",
                "reports/../x",
                "reports/.",
                "reports/x.",
                "reports/a//b",
                "reports/x/",
                "reports/\\\\",
                "reports/\\uD800",
                "reports/a\\r\\nb"
            })
    @DisplayName("a name that no blob can have makes the message poison, and it can be deleted")
    void illegalNames(String name) throws Exception {
        leavesBlobs(name, "\"0x1\"");
    }

    @Test
    @DisplayName("a name that is too long makes the message poison, and it can be deleted")
    void longName() throws Exception {
        leavesBlobs("reports/" + "a".repeat(2_000), "\"0x1\"");
    }

    @Test
    @DisplayName("an update with a large body, and its redrive, keep the body of the message readable")
    void updated() {
        queue.send(new byte[100_000]);
        ReceivedMessage<byte[]> updated =
                queue.update(queue.receive().orElseThrow(), new byte[90_000], Duration.ofSeconds(30));
        assertThat(bodies.stream()).hasSize(1);
        queue.hold(updated).poison("broken");
        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);

        ReceivedMessage<byte[]> redriven = queue.receive().orElseThrow();
        assertThat(redriven.body()).hasSize(90_000);
        queue.delete(redriven);
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName("two messages with large bodies have blobs of their own")
    void names() {
        queue.send(new byte[100_000]);
        queue.send(new byte[100_000]);

        List<ReceivedMessage<byte[]>> received = queue.receive(2);
        queue.delete(received.get(0));
        assertThat(Objects.requireNonNull(received.get(1).body())).hasSize(100_000);
        assertThat(bodies.stream()).hasSize(1);
    }
}
