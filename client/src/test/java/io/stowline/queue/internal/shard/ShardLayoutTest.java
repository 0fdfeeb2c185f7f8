package io.stowline.queue.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShardLayoutTest {

    @Test
    void namesItsQueues() {
        ShardLayout layout = new ShardLayout("orders", 2, 3);

        assertThat(layout.queues()).containsExactly("orders-0", "orders-1", "orders-2");
        assertThat(layout.indexOf("orders-2")).isEqualTo(2);
        assertThat(layout.indexOf("orders-3")).isEqualTo(-1);
        assertThat(layout.indexOf("orders")).isEqualTo(-1);
    }

    @Test
    @DisplayName("Q1: no message goes to a queue from which none is received")
    void receivesFromAllThatGetMessages() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ShardLayout("orders", 8, 2))
                .withMessageContainingAll("receiveFrom is 2", "sendTo, which is 8");
    }

    @Test
    void saysHowLongTheNameMayBe() {
        assertThat(new ShardLayout("a".repeat(61), 10, 10).queues()).hasSize(10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ShardLayout("a".repeat(61), 11, 11))
                .withMessageContainingAll("a-10' has 64 characters", "at most 63", "with 11 shards has at most 60");
    }

    @Test
    @DisplayName("Q1: a message goes back to its shard as long as that gets messages")
    void homes() {
        ShardLayout shrinking = new ShardLayout("orders", 2, 8);
        String ofId = ShardLayout.queue("orders", shrinking.shardOf("id"));

        assertThat(shrinking.homesOf("orders-1", "id")).containsExactly("orders-1", "orders-0");
        assertThat(shrinking.homesOf("orders-7", "id")).startsWith(ofId).hasSize(2);
        assertThat(shrinking.homesOf("orders-11", "id")).startsWith(ofId).hasSize(2);
        assertThat(shrinking.homesOf(null, "id")).startsWith(ofId).hasSize(2);
        assertThat(shrinking.shardOf("id")).isLessThan(2);
    }
}
