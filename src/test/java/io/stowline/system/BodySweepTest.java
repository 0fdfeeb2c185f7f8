package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.AuthenticationException;
import io.stowline.error.NotFoundException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.ShardedQueue;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storage's clock is far behind that of the client, and goes on by two days before each sweep. */
@Timeout(60)
@DisplayName("Q3: the sweep removes the bodies that no message needs")
class BodySweepTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TWO_DAYS = Duration.ofDays(2);

    private final MovedClock clock = new MovedClock();
    private final MemoryStorage memory = MemoryStorage.create(clock);
    private final ClaimCheckQueue reports = new ClaimCheckQueue(memory);
    private final Stowline storage = reports.storage;
    private final BlobContainer bodies = reports.bodies;
    private final MessageQueue<byte[]> queue = reports.queue;

    @AfterEach
    void close() {
        reports.close();
    }

    private List<BlobInfo> blobs() {
        return bodies.stream().toList();
    }

    private long sweep() {
        clock.pass(TWO_DAYS);
        return queue.sweepBodies(HOUR);
    }

    @Test
    @DisplayName("the age of a blob is that by the service's clock")
    void serviceClock() {
        queue.send(new byte[100_000]);
        queue.clear();

        assertThat(queue.sweepBodies(HOUR)).isZero();
        clock.pass(HOUR.plusSeconds(1));
        assertThat(queue.sweepBodies(HOUR)).isEqualTo(1);
    }

    @Test
    @DisplayName("the body of a message that waits stays")
    void waiting() {
        queue.send(new byte[100_000]);

        assertThat(sweep()).isZero();
        assertThat(queue.receive().map(ReceivedMessage::body)).contains(new byte[100_000]);
    }

    @Test
    @DisplayName("the body of a message that waits in an outbox stays for 30 days more than its time to live")
    void waitingInAnOutbox() {
        Table<Entity> table = storage.table("orders");
        table.create();
        table.transaction("p")
                .insert(Entity.builder("p", "1").build())
                .send(queue, new byte[100_000])
                .commit();
        while (queue.approximateCount() == 0) {
            Thread.onSpinWait();
        }
        queue.clear();

        clock.pass(Duration.ofDays(36));
        assertThat(queue.sweepBodies(HOUR)).isZero();
        assertThat(sweep()).isEqualTo(1);
    }

    @Test
    @DisplayName("bodies without any message go, and those of other queues stay")
    void cleared() {
        queue.send(new byte[100_000]);
        queue.clear();
        bodies.upload(new byte[1], "other/1");

        assertThat(sweep()).isEqualTo(1);
        assertThat(blobs()).extracting(BlobInfo::name).containsExactly("other/1");
    }

    @Test
    @DisplayName("the body of an expired message goes while others wait")
    void expired() {
        queue.send(new byte[100_000], send -> send.timeToLive(HOUR));
        queue.send(new byte[100_000], send -> send.neverExpires());

        assertThat(sweep()).isEqualTo(1);
        assertThat(blobs()).hasSize(1);
    }

    private void poisonOne() {
        poison(1);
    }

    private void poison(int messages) {
        try (QueueConsumer consumer = queue.consume(m -> {
                    throw new IllegalStateException("broken");
                })
                .poisonAfter(1)
                .retryDelay(Backoff.none())
                .start()) {
            while (consumer.stats().poisoned() < messages) {
                ShortPause.park();
            }
        }
    }

    @Test
    @DisplayName("the body of a poison message stays as long as the poison queue has messages")
    void poison() {
        queue.send(new byte[100_000]);
        poisonOne();

        assertThat(sweep()).isZero();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);

        storage.queue("reports-poison").clear();
        assertThat(sweep()).isEqualTo(1);
    }

    @Test
    @DisplayName("the body of a poison message stays although it could not be redriven")
    void failedRedrive() {
        queue.send(new byte[100_000]);
        poisonOne();
        storage.queue("reports").dropIfExists();

        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> queue.poison().redrive(all -> true));

        assertThat(sweep()).isZero();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);
        storage.queue("reports-poison").clear();
        assertThat(sweep()).isEqualTo(1);
    }

    @Test
    @DisplayName("blobs of others in the folder stay")
    void foreign() {
        bodies.upload(new byte[1], "reports/mine");

        assertThat(sweep()).isZero();
        assertThat(blobs()).hasSize(1);
    }

    @Test
    @DisplayName("a sharded queue and the queue with its name share a folder, and neither removes the other's bodies")
    void sharedFolder() {
        ShardedQueue<byte[]> wide = storage.shardedQueue(
                        "reports", byte[].class, s -> s.sendTo(2).receiveFrom(2))
                .withView(shard -> shard.withEnvelope(e -> e.claimCheck(bodies)));
        wide.createIfMissing();
        wide.shards().get(1).send(new byte[100_000]);

        assertThat(sweep()).isZero();
        ShardedQueue<byte[]> narrow = storage.shardedQueue(
                        "reports", byte[].class, s -> s.sendTo(1).receiveFrom(1))
                .withView(shard -> shard.withEnvelope(e -> e.claimCheck(bodies)));
        clock.pass(TWO_DAYS);
        assertThat(narrow.shards().get(0).sweepBodies(HOUR)).isZero();
        assertThat(wide.receive(1)).hasSize(1);

        wide.clear();
        queue.send(new byte[100_000]);
        clock.pass(TWO_DAYS);
        assertThat(wide.shards().get(0).sweepBodies(HOUR)).isZero();
    }

    @Test
    @DisplayName("a redrive whose blobs are refused fails by one storage failure, and all messages stay")
    void refusedBlobs() {
        queue.send(new byte[100_000]);
        queue.send(new byte[100_000]);
        poison(2);
        for (int i = 0; i < 2; i++) {
            memory.refuseNext("PUT", "/bodies/", 403, "AuthorizationFailure");
        }

        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> queue.poison().redrive(all -> true))
                .withMessageContainingAll("bodies/reports/", "reports-poison(");

        assertThat(queue.poison().peek(32)).hasSize(2);
        assertThat(queue.approximateCount()).isZero();
        while (queue.poison().count() > 0) {
            try {
                queue.poison().redrive(all -> true);
            } catch (AuthenticationException second) {
                assertThat(second).hasMessageContaining("reports-poison(");
            }
        }
        assertThat(queue.receive(32)).hasSize(2).allMatch(ReceivedMessage::isDecodable);
    }

    @Test
    @DisplayName("a queue that cannot keep the body does not move its message to the poison queue")
    void cannotKeep() {
        queue.send(new byte[100_000]);
        MessageQueue<byte[]> plain = storage.queue("reports", byte[].class);
        for (MessageQueue<byte[]> without : List.of(plain, plain.withEnvelope(e -> e))) {
            try (MessageLease<byte[]> held = without.hold(without.receive().orElseThrow())) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> held.poison("broken"))
                        .withMessageContainingAll("reports(", "claimCheck");
            }
        }
        assertThat(queue.poison().count()).isZero();

        queue.hold(queue.receive().orElseThrow()).poison("broken");
        assertThat(sweep()).isZero();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);
    }

    @Test
    @DisplayName("a blob that was replaced is not read as the body")
    void replaced() {
        queue.send(new byte[100_000]);
        bodies.upload(new byte[100_000 - 1], blobs().get(0).name(), upload -> upload.overwrite());

        assertThat(queue.receive().orElseThrow().failure().orElseThrow())
                .hasMessageContaining("no longer holds the body that was sent");
    }

    @Test
    @DisplayName("messages of earlier versions, which do not say what their blobs hold, are still read")
    void withoutHash() {
        queue.send(new byte[100_000]);
        MessageQueue<String> texts = storage.queue("reports");
        String text = texts.receive().orElseThrow().body();
        String earlier = text.replaceFirst(",\"datahash\":\"[^\"]*\"", "");
        assertThat(earlier).isNotEqualTo(text);
        texts.send(earlier);

        assertThat(queue.receive().orElseThrow().body()).hasSize(100_000);
    }

    @Test
    @DisplayName("clearing the poison queue removes the bodies of its messages, and no others")
    void clearedPoison() {
        queue.send(new byte[100_000]);
        queue.send(new byte[100_000]);
        poison(2);
        queue.send(new byte[100_000]);
        queue.poison().clear();

        assertThat(queue.poison().count()).isZero();
        assertThat(blobs()).hasSize(1);
        assertThat(queue.receive().orElseThrow().body()).hasSize(100_000);
        queue.poison().clear();
    }

    @Test
    @DisplayName("a poison queue that does not exist is clear")
    void clearWithoutPoison() {
        queue.poison().clear();
        storage.queue("reports").poison().clear();

        assertThat(queue.poison().count()).isZero();
    }
}
