package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import io.stowline.error.ClosedException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.ShardedQueue;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Settings that narrowed queues hand on to the queues that belong to them. */
@Timeout(60)
class QueueViewsTest {

    private static final HttpHeaderName TEAM = HttpHeaderName.fromString("x-team");

    private final MemoryStorage memory = MemoryStorage.create();
    private final List<HttpRequest> requests = new CopyOnWriteArrayList<>();
    private Stowline storage;

    @BeforeEach
    void connect() {
        HttpClient recorded = request -> {
            requests.add(request);
            return memory.httpClient().send(request);
        };
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(recorded)
                .build();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private static void poisonOne(QueueConsumer.Builder builder) {
        try (QueueConsumer consumer = builder.start()) {
            while (consumer.stats().poisoned() == 0) {
                ShortPause.park();
            }
        }
    }

    private void allHaveTheHeader(String path) {
        List<HttpRequest> there = requests.stream()
                .filter(request -> request.getUrl().getPath().contains(path))
                .toList();
        assertThat(there).isNotEmpty().allSatisfy(request -> assertThat(
                        request.getHeaders().getValue(TEAM))
                .isEqualTo("orders"));
    }

    @Test
    @DisplayName("withHeader: the requests for the poison queue and the way back have the header, too")
    void headers() {
        MessageQueue<String> queue = storage.queue("orders", String.class).withHeader("x-team", "orders");
        queue.create();
        queue.send("one");
        poisonOne(queue.consume(m -> m.poison("broken")));
        assertThat(queue.poison().peek(1)).hasSize(1);
        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);

        allHaveTheHeader("/orders-poison");
        allHaveTheHeader("/orders");
    }

    @Test
    @DisplayName("withHeader: a redrive to a shard has the header, too")
    void headersOfShards() {
        ShardedQueue<String> wide = storage.shardedQueue(
                        "wide", String.class, s -> s.sendTo(2).receiveFrom(2))
                .withView(shard -> shard.withHeader("x-team", "orders"));
        wide.createIfMissing();
        wide.send("one", "key");
        poisonOne(wide.consume(m -> m.poison("broken")));
        assertThat(wide.poison().redrive(all -> true)).isEqualTo(1);

        allHaveTheHeader("/wide-");
    }

    @Test
    @DisplayName("QUEUE-5: a closed client holds no message")
    void holdAfterClose() {
        MessageQueue<String> queue = storage.queue("orders", String.class);
        queue.create();
        queue.send("one");
        ReceivedMessage<String> message = queue.receive().orElseThrow();
        try (MessageLease<String> held = queue.hold(message)) {
            assertThat(held.body()).isEqualTo("one");
        }
        storage.close();

        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> queue.hold(message));
    }

    static List<Supplier<Publisher<?>>> fatal() {
        return List.of(
                () -> {
                    throw new NoClassDefFoundError("Missing");
                },
                () -> Mono.error(new StackOverflowError()),
                () -> Mono.fromCallable(() -> {
                    throw new NoClassDefFoundError("Missing");
                }),
                () -> Flux.just(1).map(i -> {
                    throw new UnsatisfiedLinkError("Missing");
                }));
    }

    @ParameterizedTest
    @MethodSource("fatal")
    @DisplayName("withEnvelope: an error that Reactor takes for fatal is a failure of its message, and the next one is"
            + " handled")
    void fatalErrors(Supplier<Publisher<?>> handler) {
        MessageQueue<String> queue = storage.queue("orders", String.class).withEnvelope(e -> e);
        queue.create();
        queue.send("broken");
        queue.send("sound");
        try (QueueConsumer consumer = queue.reactive()
                .consume(m -> m.body().equals("broken") ? handler.get() : Mono.empty())
                .concurrency(1)
                .poisonAfter(1)
                .start()) {
            while (consumer.stats().completed() == 0 || consumer.stats().poisoned() == 0) {
                ShortPause.park();
            }
            assertThat(consumer.stats().lost()).isZero();
        }
    }

    @Test
    @DisplayName(
            "QUEUE-3: a queue and a sharded queue of one name share a poison queue, and each message goes back where"
                    + " it was")
    void oneName() {
        MessageQueue<String> queue = storage.queue("orders", String.class);
        ShardedQueue<String> sharded = storage.shardedQueue("orders", String.class, o -> o.sendTo(2));
        MessageQueue<String> first = storage.queue("orders-0", String.class);
        queue.create();
        sharded.createIfMissing();
        for (int round = 0; round < 2; round++) {
            queue.send("plain");
            first.send("sharded");
            poisonOne(queue.consume(m -> fail()).poisonAfter(1));
            poisonOne(sharded.consume(m -> fail()).poisonAfter(1));

            assertThat((round == 0 ? queue.poison() : sharded.poison()).redrive(message -> true))
                    .isEqualTo(2);
            assertThat(bodies(queue)).containsExactly("plain");
            assertThat(bodies(first)).containsExactly("sharded");
        }
    }

    private static void fail() {
        throw new IllegalStateException("handler");
    }

    private static List<String> bodies(MessageQueue<String> queue) {
        List<ReceivedMessage<String>> messages = queue.receive(32);
        messages.forEach(queue::delete);
        return messages.stream().map(ReceivedMessage::body).toList();
    }
}
