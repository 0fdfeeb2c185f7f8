package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.models.CloudEvent;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.ShardedQueue;
import io.stowline.retry.Backoff;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

@Timeout(120)
@DisplayName("Q3: envelopes, compression and claim checks")
class EnvelopeIT extends StorageTest {

    record Report(String id, String text) {}

    private static final Duration GUARD = Duration.ofSeconds(60);

    private final String name = "e" + UUID.randomUUID().toString().substring(0, 30);
    private final BlockingQueue<Report> handled = new LinkedBlockingQueue<>();
    private MessageQueue<Report> plain;
    private MessageQueue<Report> reports;
    private BlobContainer bodies;

    @BeforeEach
    void make() {
        bodies = storage.container(name);
        bodies.create();
        plain = storage.queue(name, Report.class);
        plain.create();
        reports = plain.withEnvelope(e -> e.claimCheck(bodies));
    }

    @AfterEach
    void remove() {
        plain.dropIfExists();
        storage.queue(name + "-poison").dropIfExists();
        bodies.dropIfExists();
    }

    private static Report large() {
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        return new Report("large", Base64.getEncoder().encodeToString(bytes));
    }

    private List<BlobInfo> blobs() {
        return bodies.stream().toList();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            ShortPause.park();
        }
    }

    private Report take() throws InterruptedException {
        return handled.poll(GUARD.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource(QueueMessageEncoding.class)
    @DisplayName("a small body travels in the envelope, which a reader of CloudEvents understands")
    void smallBody(QueueMessageEncoding encoding) {
        reports.withEncoding(encoding).send(new Report("1", "text"));

        ReceivedMessage<Report> received = reports.receive().orElseThrow();
        String raw = received.raw();
        String json = raw.startsWith("{") ? raw : new String(Base64.getDecoder().decode(raw), StandardCharsets.UTF_8);
        CloudEvent event = CloudEvent.fromString(json).get(0);

        assertThat(received.body()).isEqualTo(new Report("1", "text"));
        assertThat(received.eventId()).isEqualTo(event.getId());
        assertThat(event.getSource()).isEqualTo(name);
        assertThat(event.getData()).hasToString("{\"id\":\"1\",\"text\":\"text\"}");
        assertThat(blobs()).isEmpty();
    }

    @Test
    @DisplayName("of two messages of one named event a consumer handles one, and removes both with their bodies")
    void namedEvent() throws Exception {
        reports.send(large(), settings -> settings.eventId("report-17"));
        reports.send(large(), settings -> settings.eventId("report-17"));
        assertThat(blobs()).extracting(BlobInfo::name).allMatch(blob -> blob.startsWith(name + "/report-17."));

        try (QueueConsumer consumer = reports.consume(m -> {
                    assertThat(m.eventId()).isEqualTo("report-17");
                    handled.add(m.body());
                })
                .start()) {
            assertThat(take()).isEqualTo(large());
            await(() -> plain.approximateCount() == 0 && blobs().isEmpty());
            assertThat(consumer.stats().completed()).isOne();
        }
        assertThat(handled).isEmpty();
    }

    @Test
    @DisplayName("plain messages and CloudEvents of other programs are read, and not rewritten")
    void foreignSenders() {
        String json = "{\"specversion\":\"1.0\",\"id\":\"a\",\"source\":\"/other\",\"type\":\"other\","
                + "\"data\":{\"id\":\"2\",\"text\":\"foreign\"}}";
        plain.send(new Report("1", "plain"));
        storage.queue(name).withEncoding(QueueMessageEncoding.NONE).send(json);

        List<ReceivedMessage<Report>> received = reports.receive(32);

        assertThat(received)
                .extracting(ReceivedMessage::body)
                .containsExactlyInAnyOrder(new Report("1", "plain"), new Report("2", "foreign"));
        for (ReceivedMessage<Report> message : received) {
            String before = message.raw();
            try (MessageLease<Report> held = reports.hold(message)) {
                assertThatIllegalStateException().isThrownBy(() -> held.checkpoint("1"));
            }
            assertThat(reports.receive(32)).extracting(ReceivedMessage::raw).contains(before);
        }
    }

    @Test
    @DisplayName("a large body goes to a blob, which is removed after its message")
    void claimCheck() throws Exception {
        reports.send(large());
        assertThat(blobs()).hasSize(1);

        try (QueueConsumer consumer =
                reports.consume(m -> handled.add(m.body())).start()) {
            assertThat(take()).isEqualTo(large());
            consumer.stop(GUARD);
        }

        assertThat(reports.approximateCount()).isZero();
        await(() -> blobs().isEmpty());
    }

    @Test
    @DisplayName("reactive consumers, batches and receives by hand get large bodies, too")
    void otherReceivers() throws Exception {
        reports.send(large());
        try (QueueConsumer consumer = reports.reactive()
                .consume(m -> Mono.fromRunnable(() -> handled.add(m.body())))
                .start()) {
            assertThat(take()).isEqualTo(large());
            consumer.stop(GUARD);
        }
        reports.send(large());
        try (QueueConsumer consumer = reports.consumeBatches(
                        8, batch -> batch.messages().forEach(m -> handled.add(m.body())))
                .start()) {
            assertThat(take()).isEqualTo(large());
            consumer.stop(GUARD);
        }
        reports.send(large());
        assertThat(reports.peek(1).get(0).body()).isEqualTo(large());
        ReceivedMessage<Report> received = reports.receive().orElseThrow();
        ReceivedMessage<Report> updated = reports.update(received, new Report("small", ""), Duration.ofSeconds(30));
        assertThat(updated.body()).isEqualTo(new Report("small", ""));
        assertThat(updated.eventId()).isEqualTo(received.eventId());
        reports.delete(updated);

        await(() -> blobs().isEmpty());
    }

    @Test
    @DisplayName("a compressed body has room in the message")
    void compresses() {
        Report repeated = new Report("1", "text ".repeat(40_000));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.withEnvelope(e -> e).send(repeated))
                .withMessageContaining("compressAbove");

        reports.withEnvelope(e -> e.compressAbove(8_192)).send(repeated);

        assertThat(reports.receive().orElseThrow().body()).isEqualTo(repeated);
        assertThat(blobs()).isEmpty();
    }

    @Test
    @DisplayName("a poison message keeps its blob, and comes back with it")
    void poisonKeepsItsBlob() throws Exception {
        reports.send(large());
        try (QueueConsumer consumer = reports.consume(m -> {
                    throw new IllegalStateException("broken");
                })
                .poisonAfter(2)
                .retryDelay(Backoff.none())
                .start()) {
            await(() -> consumer.stats().poisoned() == 1);
            consumer.stop(GUARD);
        }
        PoisonQueue.Message<Report> poison = reports.poison().peek(1).get(0);
        assertThat(poison.body()).isEqualTo(large());
        assertThat(poison.failures()).isEqualTo(2);
        assertThat(blobs()).hasSize(1);

        assertThat(reports.poison().redrive(m -> m.body().id().equals("large"))).isEqualTo(1);

        ReceivedMessage<Report> again = reports.receive().orElseThrow();
        assertThat(again.body()).isEqualTo(large());
        reports.delete(again);
        await(() -> blobs().isEmpty());
    }

    @Test
    @DisplayName("an outage of the blobs makes no message poison")
    void blobOutage() throws Exception {
        reports.send(large());
        FaultRule outage = proxy().when(requests()
                        .method("GET")
                        .path("/**/" + name + "/" + name + "*")
                        .times(1))
                .respond(StubResponse.error(403, "AuthorizationFailure", "not allowed"));
        try (QueueConsumer consumer =
                reports.consume(m -> handled.add(m.body())).start()) {
            assertThat(take()).isEqualTo(large());
            consumer.stop(GUARD);
        }

        assertThat(outage.hits()).isEqualTo(1);
        assertThat(reports.poison().count()).isZero();
    }

    @Test
    @DisplayName("a send that fails for certain leaves no blob")
    void failedSend() {
        plain.drop();

        CompletableFuture<Void> send = CompletableFuture.runAsync(() -> reports.send(large()));

        assertThat(send).failsWithin(GUARD);
        assertThat(blobs()).isEmpty();
    }

    @Test
    @DisplayName("a young blob is not swept")
    void sweep() {
        reports.send(large());
        reports.clear();

        assertThat(reports.sweepBodies(Duration.ofHours(1))).isZero();
        assertThat(blobs()).hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reports.sweepBodies(Duration.ofMinutes(59)))
                .withMessageContaining("olderThan");
        assertThatIllegalStateException().isThrownBy(() -> plain.sweepBodies(Duration.ofHours(1)));
    }

    @Test
    @DisplayName("Q6: a checkpoint reaches the next handler through the service")
    void checkpoint() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        reports.send(new Report("1", ""));
        try (QueueConsumer consumer = reports.consume(m -> {
                    seen.add(m.checkpoint().orElse("none"));
                    if (m.checkpoint().isEmpty()) {
                        m.checkpoint("page 42");
                        throw new IllegalStateException("goes on later");
                    }
                })
                .retryDelay(Backoff.none())
                .start()) {
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("none");
            assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("page 42");
            consumer.stop(GUARD);
        }
    }

    @Test
    @DisplayName("Q1: shards with envelopes share the folder of their blobs")
    void shards() throws Exception {
        ShardedQueue<Report> wide = storage.shardedQueue(name, Report.class, options -> options.sendTo(2))
                .withView(shard -> shard.withEnvelope(e -> e.claimCheck(bodies)));
        wide.createIfMissing();
        try {
            wide.send(large());
            wide.send(large(), "key");
            assertThat(blobs()).extracting(BlobInfo::name).allMatch(blob -> blob.startsWith(name + "/"));
            assertThat(wide.peek(32)).extracting(message -> message.body().id()).containsOnly("large");

            ReceivedMessage<Report> byHand = wide.receive(1).get(0);
            assertThat(byHand.body()).isEqualTo(large());
            wide.delete(byHand);
            try (QueueConsumer consumer =
                    wide.consume(m -> handled.add(m.body())).start()) {
                assertThat(take()).isEqualTo(large());
                consumer.stop(GUARD);
            }
            await(() -> blobs().isEmpty());
        } finally {
            wide.dropIfExists();
        }
    }
}
