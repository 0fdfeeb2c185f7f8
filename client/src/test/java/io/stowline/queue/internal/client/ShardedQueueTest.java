package io.stowline.queue.internal.client;

import static io.stowline.queue.internal.QueueBench.error;
import static io.stowline.queue.internal.QueueBench.messages;
import static io.stowline.queue.internal.QueueBench.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.Stowline;
import io.stowline.error.AuthenticationException;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.ShardSettings;
import io.stowline.queue.ShardedQueue;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.queue.internal.shard.ShardLayout;
import io.stowline.queue.internal.shard.ShardRotation;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShardedQueueTest {

    private final QueueBench bench = new QueueBench();
    private final ShardedQueue<String> wide = wide(2, 3);

    private ShardedQueue<String> wide(int sendTo, int receiveFrom) {
        ShardLayout layout = new ShardLayout("orders", sendTo, receiveFrom);
        List<QueueContext<String>> shards = layout.queues().stream()
                .map(name -> new QueueContext<>(
                                bench.client(name),
                                new BodyFormat<>(MessageCodec.text(), QueueMessageEncoding.NONE),
                                Callbacks.on(Runnable::run),
                                null)
                        .in(layout))
                .toList();
        return new DefaultShardedQueue<>(
                new ShardContext<>(layout, new ShardRotation(sendTo, 0, bench.timer()), new AtomicInteger(), shards));
    }

    private List<String> requests() {
        return bench.wire().sent().stream()
                .map(request -> request.method()
                        + request.url().replaceAll(".*/(orders-\\d+).*?(?:numofmessages=(\\d+))?(?:&.*)?$", " $1 $2"))
                .map(String::strip)
                .toList();
    }

    private void responds(int status, String... bodies) {
        Arrays.stream(bodies).forEach(body -> bench.responds(status, body));
    }

    @Test
    @DisplayName("Q1: messages of one key go to one shard")
    void sendsByKey() {
        for (int i = 0; i < 6; i++) {
            String key = "key " + (1 + i % 2);
            bench.responds(201, sent("m"));
            assertThat(wide.send("body", key).queue())
                    .isEqualTo(wide.shardOf(key).name());
        }
        assertThat(wide.shardOf("key 1").name())
                .isNotEqualTo(wide.shardOf("key 2").name());
        assertThat(wide.shards()).extracting(MessageQueue::name).containsExactly("orders-0", "orders-1", "orders-2");
    }

    @Test
    void sendsAll() {
        responds(201, sent("1"), sent("2"), sent("3"), sent("4"));
        List<ItemResult<String, SendResult>> outcomes =
                wide.sendAll(List.of("a", "b", "key 0", "key 1"), body -> body.startsWith("key") ? body : null);

        assertThat(outcomes).extracting(ItemResult::item).containsExactly("a", "b", "key 0", "key 1");
        assertThat(outcomes)
                .extracting(outcome -> outcome.result().queue())
                .containsExactly(
                        "orders-0",
                        "orders-1",
                        wide.shardOf("key 0").name(),
                        wide.shardOf("key 1").name());
    }

    @Test
    @DisplayName("Q1: a body that cannot be sent fails alone")
    void sendsTheOthers() {
        responds(201, sent("1"));
        List<ItemResult<String, SendResult>> outcomes = wide.sendAll(List.of("x".repeat(70_000), "b"));

        assertThat(outcomes).extracting(ItemResult::succeeded).containsExactly(false, true);
    }

    @Test
    @DisplayName(
            "Q1: a receive asks one shard after the other until it has enough, and begins with another one each time")
    void receivesInTurn() {
        responds(200, messages("a", "b"), messages(), messages("c"));
        assertThat(wide.receive(4)).extracting(ReceivedMessage::body).containsExactly("a", "b", "c");
        assertThat(requests()).containsExactly("GET orders-0 4", "GET orders-1 2", "GET orders-2 2");

        responds(200, messages("d"));
        assertThat(wide.receive(1)).extracting(ReceivedMessage::body).containsExactly("d");
        assertThat(requests()).endsWith("GET orders-1 1").hasSize(4);
    }

    @Test
    @DisplayName("Q1: a shard that fails does not hide the messages of the others; without any, its failure is thrown")
    void receivesFromTheOthers() {
        responds(403, error("AuthorizationFailure"));
        responds(200, messages("a"), messages());
        assertThat(wide.receive(4)).extracting(ReceivedMessage::body).containsExactly("a");

        responds(200, messages());
        responds(403, error("AuthorizationFailure"));
        responds(200, messages());
        assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> wide.receive(4));
    }

    private void awaitRequests(int count) {
        while (bench.wire().sent().size() < count) {
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    @DisplayName("Q1: a shard that hangs keeps the messages of the others back for a third of their lease at most")
    void receivesDespiteALateShard() throws Exception {
        responds(200, messages("a"));
        bench.wire().staysSilent();
        QueueBench.Running<List<ReceivedMessage<String>>> receive =
                bench.start(wide.reactive().receive(4, Duration.ofSeconds(30)));
        awaitRequests(2);
        bench.pass(Duration.ofMillis(9_900));
        assertThat(receive.future()).isNotDone();
        bench.pass(Duration.ofMillis(100));

        assertThat(receive.value()).extracting(ReceivedMessage::body).containsExactly("a");
        assertThat(requests()).containsExactly("GET orders-0 4", "GET orders-1 3");
    }

    @Test
    @DisplayName("Q1: a shard that hangs is passed over, also before there are messages")
    void receivesAfterALateShard() throws Exception {
        bench.wire().staysSilent();
        responds(200, messages("a"), messages());
        QueueBench.Running<List<ReceivedMessage<String>>> receive =
                bench.start(wide.reactive().receive(4, Duration.ofSeconds(30)));
        awaitRequests(1);
        bench.pass(Duration.ofSeconds(10));

        assertThat(receive.value()).extracting(ReceivedMessage::body).containsExactly("a");
        assertThat(requests()).containsExactly("GET orders-0 4", "GET orders-1 4", "GET orders-2 3");
    }

    @Test
    void refusesLimitsBeforeSending() {
        assertThatIllegalArgumentException().isThrownBy(() -> wide.receive(33));
        assertThatIllegalArgumentException().isThrownBy(() -> wide.peek(0));
        assertThat(bench.wire().sent()).isEmpty();
    }

    @Test
    @DisplayName("Q1: the verbs of a message go to the shard that it came from")
    void deletesWhereItWas() {
        responds(200, messages(), messages("a"), messages());
        ReceivedMessage<String> message = wide.receive(2).get(0);
        bench.responds(204, "");
        wide.delete(message);

        assertThat(requests()).endsWith("DELETE orders-1");
        assertThat(wide.shardOf(message).name()).isEqualTo("orders-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> wide(1, 1).delete(message))
                .withMessage("message id-0 is in queue orders-1, which is none of the 1 shards of orders");
    }

    @Test
    void takesASentMessageBack() {
        responds(201, sent("1"), sent("2"));
        wide.send("a");
        SendResult second = wide.send("b");
        bench.responds(204, "");
        wide.shardOf(second).delete(second);

        assertThat(requests()).endsWith("DELETE orders-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> wide.shards().get(0).delete(second))
                .withMessage("message 2 was sent to queue orders-1, not to orders-0");
    }

    @Test
    void peeksInTurn() {
        responds(200, messages("a"), messages("b"), messages());

        assertThat(wide.peek(5)).extracting(PeekedMessage::body).containsExactly("a", "b");
    }

    @Test
    @DisplayName("Q1: an operation on all shards goes on after a failure, which it throws in the end")
    void triesAll() {
        responds(201, "");
        responds(403, error("AuthorizationFailure"));
        responds(201, "");

        assertThatExceptionOfType(AuthenticationException.class).isThrownBy(wide::createIfMissing);
        assertThat(bench.wire().sent()).hasSize(3);
    }

    @Test
    void countsAll() {
        for (String count : List.of("3", "4", "5")) {
            bench.responds(200, "", "x-ms-approximate-messages-count", count);
        }

        assertThat(wide.approximateCount()).isEqualTo(12);
    }

    @Test
    @DisplayName("a view of each shard is a view of all; another queue is refused")
    void narrows() {
        ShardedQueue<byte[]> bytes = wide.withView(shard -> shard.withCodec(MessageCodec.bytes()));
        responds(201, sent("1"));
        assertThat(bytes.send(new byte[] {65}).queue()).isEqualTo("orders-0");

        MessageQueue<String> first = wide.shards().get(0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> wide.withView(shard -> first))
                .withMessageContainingAll("orders-1", "not orders-0");
    }

    private static void refused(String name, UnaryOperator<ShardSettings.Builder> options, String... parts) {
        try (Stowline client =
                Stowline.connect("AccountName=acct;AccountKey=a2V5;QueueEndpoint=http://127.0.0.1:2/acct")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.shardedQueue(name, String.class, options))
                    .withMessageContainingAll(parts);
        }
    }

    @Test
    void checksNamesAndNumbers() {
        refused("orders", s -> s.sendTo(8).receiveFrom(2), "receiveFrom is 2", "sendTo, which is 8");
        refused("orders", s -> s.receiveFrom(2).sendTo(3), "receiveFrom is 2", "sendTo, which is 3");
        refused("orders", s -> s.sendTo(0), "sendTo is 1 to 128, not 0");
        refused("orders", s -> s.sendTo(1).receiveFrom(129), "receiveFrom is 1 to 128, not 129");
        refused("orders", s -> s, "sendTo of the sharded queue orders is not set");
        refused("Orders", s -> s.sendTo(1), "Orders-0", "lower-case");
        refused("a".repeat(62), s -> s.sendTo(2), "has 64 characters", "at most 61");
    }

    @Test
    @DisplayName("Q1: receiveFrom is sendTo unless it is set, and all shards share one poison queue")
    void defaults() {
        try (Stowline client =
                Stowline.connect("AccountName=acct;AccountKey=a2V5;QueueEndpoint=http://127.0.0.1:2/acct")) {
            ShardedQueue<String> queue = client.shardedQueue("orders", String.class, s -> s.sendTo(2));

            assertThat(queue.shards()).hasSize(2);
            assertThat(queue.poison().name()).isEqualTo("orders-poison");
            assertThat(queue.shards().get(1).poison().name()).isEqualTo("orders-poison");
            assertThat(queue).hasToString("ShardedQueue[orders, sendTo=2, receiveFrom=2]");
        }
    }
}
