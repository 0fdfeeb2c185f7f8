package io.stowline.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.error.NotFoundException;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("QUEUE-3: the redrive of a sharded queue sends each message to a shard that exists")
class ShardedRedriveTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();
    private final ShardedQueue<String> wide =
            storage.shardedQueue("orders", String.class, s -> s.sendTo(3).receiveFrom(4));

    @BeforeEach
    void create() {
        wide.createIfMissing();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private void poison(MessageQueue<String> queue) {
        queue.send("from " + queue.name());
        queue.hold(queue.receive().orElseThrow()).poison("broken");
    }

    private List<String> bodies(int shard) {
        return wide.shards().get(shard).peek(32).stream()
                .map(PeekedMessage::body)
                .toList();
    }

    @Test
    @DisplayName("a message of a shard that is gone goes to the next shard")
    void nextShard() {
        wide.shards().forEach(this::poison);
        wide.shards().get(1).drop();

        assertThat(wide.poison().redrive(all -> true)).isEqualTo(4);
        assertThat(bodies(0)).contains("from orders-0").doesNotContain("from orders-1");
        assertThat(bodies(2)).contains("from orders-1", "from orders-2");
        assertThat(bodies(3)).isEmpty();
        assertThat(wide.poison().count()).isZero();
    }

    @Test
    @DisplayName("a message of a plain queue that is gone passes over shards that are gone")
    void plainQueue() {
        MessageQueue<String> plain = storage.queue("orders");
        plain.create();
        poison(plain);
        plain.drop();
        wide.shards().get(0).drop();
        wide.shards().get(2).drop();

        assertThat(wide.poison().redrive(all -> true)).isEqualTo(1);
        assertThat(bodies(1)).containsExactly("from orders");
    }

    @Test
    @DisplayName("without any shard that gets messages the redrive fails, and its messages stay")
    void noShard() {
        poison(wide.shards().get(1));
        wide.shards().subList(0, 3).forEach(MessageQueue::drop);

        assertThatThrownBy(() -> wide.poison().redrive(all -> true))
                .isInstanceOf(NotFoundException.class)
                .hasMessageContaining("orders-1");
        assertThat(wide.poison().count()).isEqualTo(1);
    }
}
