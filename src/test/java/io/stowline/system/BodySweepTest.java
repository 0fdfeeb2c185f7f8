package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.NotFoundException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.ShardedQueue;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storage's clock is two days behind that of the client, so that each blob is old. */
@Timeout(60)
@DisplayName("Q3: the sweep removes the bodies that no message needs")
class BodySweepTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final MemoryStorage memory = MemoryStorage.create(Clock.offset(Clock.systemUTC(), Duration.ofDays(-2)));
    private Stowline storage;
    private BlobContainer bodies;
    private MessageQueue<byte[]> queue;

    @BeforeEach
    void connect() {
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
        bodies = storage.container("bodies");
        bodies.create();
        queue = storage.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(bodies));
        queue.create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private List<BlobInfo> blobs() {
        return bodies.list().toList();
    }

    @Test
    @DisplayName("the body of a message that waits stays")
    void waiting() {
        queue.send(new byte[100_000]);

        assertThat(queue.sweepBodies(HOUR)).isZero();
        assertThat(queue.receive().map(ReceivedMessage::body)).contains(new byte[100_000]);
    }

    @Test
    @DisplayName("bodies without any message go, and those of other queues stay")
    void cleared() {
        queue.send(new byte[100_000]);
        queue.clear();
        bodies.upload(new byte[1], "other/1");

        assertThat(queue.sweepBodies(HOUR)).isEqualTo(1);
        assertThat(blobs()).extracting(BlobInfo::name).containsExactly("other/1");
    }

    @Test
    @DisplayName("the body of an expired message goes while others wait")
    void expired() {
        queue.send(new byte[100_000], send -> send.timeToLive(HOUR));
        queue.send(new byte[100_000], send -> send.neverExpires());

        assertThat(queue.sweepBodies(HOUR)).isEqualTo(1);
        assertThat(blobs()).hasSize(1);
    }

    private void poisonOne() {
        try (QueueConsumer consumer = queue.consume(m -> {
                    throw new IllegalStateException("broken");
                })
                .poisonAfter(1)
                .retryDelay(Backoff.none())
                .start()) {
            while (consumer.stats().poisoned() == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    @DisplayName("the body of a poison message stays as long as the poison queue has messages")
    void poison() {
        queue.send(new byte[100_000]);
        poisonOne();

        assertThat(queue.sweepBodies(HOUR)).isZero();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);

        storage.queue("reports-poison").clear();
        assertThat(queue.sweepBodies(HOUR)).isEqualTo(1);
    }

    @Test
    @DisplayName("the body of a poison message stays although it could not be redriven")
    void failedRedrive() {
        queue.send(new byte[100_000]);
        poisonOne();
        storage.queue("reports").deleteQueueIfExists();

        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> queue.poison().redrive(all -> true));

        assertThat(queue.sweepBodies(HOUR)).isZero();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);
        storage.queue("reports-poison").clear();
        assertThat(queue.sweepBodies(HOUR)).isEqualTo(1);
    }

    @Test
    @DisplayName("blobs of others in the folder stay")
    void foreign() {
        bodies.upload(new byte[1], "reports/mine");

        assertThat(queue.sweepBodies(HOUR)).isZero();
        assertThat(blobs()).hasSize(1);
    }

    @Test
    @DisplayName("a sharded queue and the queue with its name share a folder, and neither removes the other's bodies")
    void sharedFolder() {
        ShardedQueue<byte[]> wide = storage.shardedQueue(
                        "reports", byte[].class, s -> s.sendTo(2).receiveFrom(2))
                .with(shard -> shard.withEnvelope(e -> e.claimCheck(bodies)));
        wide.createIfMissing();
        wide.shards().get(1).send(new byte[100_000]);

        assertThat(queue.sweepBodies(HOUR)).isZero();
        ShardedQueue<byte[]> narrow = storage.shardedQueue(
                        "reports", byte[].class, s -> s.sendTo(1).receiveFrom(1))
                .with(shard -> shard.withEnvelope(e -> e.claimCheck(bodies)));
        assertThat(narrow.shards().get(0).sweepBodies(HOUR)).isZero();
        assertThat(wide.receive(1)).hasSize(1);

        wide.clear();
        queue.send(new byte[100_000]);
        assertThat(wide.shards().get(0).sweepBodies(HOUR)).isZero();
    }
}
