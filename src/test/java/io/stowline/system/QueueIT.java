package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.models.QueueMessageItem;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

@Timeout(120)
class QueueIT extends StorageTest {

    record Order(String id, int count, Instant at) {}

    private static final Instant AT = Instant.parse("2026-11-21T03:48:35.3031181Z");

    private final String name = "q" + UUID.randomUUID();
    private MessageQueue<Order> orders;

    @BeforeEach
    void make() {
        orders = storage.queue(name, Order.class);
        orders.create();
    }

    @AfterEach
    void remove() {
        orders.dropIfExists();
    }

    @Test
    @DisplayName("the list of queues has what exists, over all pages")
    void listsQueues() {
        assertThat(storage.listQueues()).contains(name);

        orders.drop();
        assertThat(storage.reactive().listQueues().block()).doesNotContain(name);
    }

    private static Order order(int count) {
        return new Order("A-17 é < & \uD83D\uDE00", count, AT);
    }

    private QueueClient sdk(QueueMessageEncoding encoding) {
        return new QueueClientBuilder()
                .connectionString(connectionString())
                .queueName(name)
                .messageEncoding(encoding)
                .buildClient();
    }

    @Test
    void livesAndDies() {
        MessageQueue<String> other = storage.queue("other-" + name);

        assertThat(other.exists()).isFalse();
        assertThat(other.createIfMissing()).isTrue();
        assertThat(other.createIfMissing()).isFalse();
        assertThatExceptionOfType(ConflictException.class).isThrownBy(other::create);
        assertThat(other.exists()).isTrue();
        assertThat(other.dropIfExists()).isTrue();
        assertThat(other.dropIfExists()).isFalse();
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(other::drop)
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("other-" + name));
    }

    @Test
    void keepsMetadata() {
        assertThat(orders.info().metadata()).isEmpty();
        orders.setMetadata(Map.of("team", "blue and green", "n_1", "!~"));
        assertThat(orders.info().metadata()).containsOnly(Map.entry("team", "blue and green"), Map.entry("n_1", "!~"));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(orders::create)
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("QueueAlreadyExists"));
        assertThat(orders.createIfMissing()).isFalse();
        orders.setMetadata(Map.of());
        assertThat(orders.info().metadata()).isEmpty();
    }

    @Test
    @DisplayName(
            "QUEUE-6: many sends at once have a result each, in the order of the bodies; one that is too long fails"
                    + " alone")
    void sendsMany() {
        List<Order> bodies = IntStream.range(0, 100)
                .mapToObj(i -> i == 41 ? new Order("x".repeat(60_000), i, AT) : order(i))
                .toList();
        List<ItemResult<Order, SendResult>> outcomes = orders.sendAll(bodies);

        assertThat(outcomes).extracting(ItemResult::item).isEqualTo(bodies);
        assertThat(outcomes)
                .filteredOn(outcome -> !outcome.succeeded())
                .singleElement()
                .satisfies(outcome -> {
                    assertThat(outcome.item().count()).isEqualTo(41);
                    assertThat(outcome.error()).isInstanceOf(IllegalArgumentException.class);
                });
        assertThat(outcomes.stream()
                        .filter(ItemResult::succeeded)
                        .map(outcome -> outcome.result().id())
                        .distinct())
                .hasSize(99);
        assertThat(orders.approximateCount()).isEqualTo(99);
    }

    @Test
    void sendsManyToNoQueue() {
        MessageQueue<Order> absent = storage.queue("absent-" + name, Order.class);
        List<ItemResult<Order, SendResult>> outcomes = absent.reactive()
                .sendAll(List.of(order(1), order(2)), send -> send.delay(Duration.ofSeconds(5)))
                .block();

        assertThat(outcomes).hasSize(2).allSatisfy(outcome -> assertThat(outcome.error())
                .isInstanceOf(NotFoundException.class));
    }

    @Test
    void sendsReceivesAndDeletes() {
        SendResult sent = orders.send(order(1));
        ReceivedMessage<Order> received = orders.receive().orElseThrow();

        assertThat(sent.mayHaveRepeated()).isFalse();
        assertThat(sent.expiresAt()).isEqualTo(sent.insertedAt().plus(Duration.ofDays(7)));
        assertThat(received.body()).isEqualTo(order(1));
        assertThat(received.id()).isEqualTo(sent.id());
        assertThat(received.insertedAt()).isEqualTo(sent.insertedAt());
        assertThat(received.expiresAt()).isEqualTo(sent.expiresAt());
        assertThat(received.dequeueCount()).isEqualTo(1);
        assertThat(received.visibleAt()).isAfter(received.insertedAt().plusSeconds(28));
        assertThat(orders.receive()).isEmpty();
        assertThat(orders.approximateCount()).isEqualTo(1);

        orders.delete(received);
        assertThat(orders.approximateCount()).isZero();
    }

    @Test
    void countsReceivesAndLooksWithoutCounting() {
        orders.send(order(1));
        ReceivedMessage<Order> first = orders.receive().orElseThrow();
        orders.update(first, Duration.ZERO);
        PeekedMessage<Order> peeked = orders.peek(32).get(0);
        ReceivedMessage<Order> second = orders.receive().orElseThrow();

        assertThat(peeked.body()).isEqualTo(order(1));
        assertThat(peeked.dequeueCount()).isEqualTo(1);
        assertThat(second.dequeueCount()).isEqualTo(2);
        assertThat(orders.peek(1)).isEmpty();
    }

    @Test
    void hidesAndKeepsAsLongAsRequested() {
        SendResult hidden = orders.send(order(1), send -> send.delay(Duration.ofHours(1)));
        SendResult forever = orders.send(order(2), send -> send.neverExpires());
        SendResult brief = orders.send(order(3), send -> send.timeToLive(Duration.ofMinutes(5)));

        assertThat(hidden.visibleAt()).isEqualTo(hidden.insertedAt().plus(Duration.ofHours(1)));
        assertThat(forever.expiresAt()).isAfter(Instant.parse("9999-12-31T00:00:00Z"));
        assertThat(brief.expiresAt()).isEqualTo(brief.insertedAt().plus(Duration.ofMinutes(5)));
        assertThat(orders.receive(32))
                .extracting(message -> message.body().count())
                .containsExactlyInAnyOrder(2, 3);
    }

    @Test
    @DisplayName(
            "OUTCOME-7: after an update only the new receipt holds; a message that is not ours any more is one clear"
                    + " failure")
    void onlyTheLatestReceiptHolds() {
        orders.send(order(1));
        ReceivedMessage<Order> first = orders.receive().orElseThrow();
        ReceivedMessage<Order> second = orders.update(first, order(2), Duration.ofMinutes(1));

        assertThat(second.body()).isEqualTo(order(2));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> orders.delete(first))
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo(name + "(" + first.id() + ")"))
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero())
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(first.popReceipt()));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> orders.update(first, Duration.ofMinutes(1)));

        ReceivedMessage<Order> third = orders.update(second, Duration.ZERO);
        assertThat(orders.peek(1)).singleElement().satisfies(peeked -> assertThat(peeked.body())
                .isEqualTo(order(2)));
        orders.delete(third);
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> orders.delete(third));
    }

    @Test
    @DisplayName("QUEUE-6: a message that cannot be decoded comes with the others and can be deleted")
    void undecodableMessage() {
        orders.send(order(1));
        storage.queue(name).send("no order");
        orders.send(order(2));
        List<ReceivedMessage<Order>> batch = orders.receive(32);

        assertThat(batch).filteredOn(ReceivedMessage::isDecodable).hasSize(2);
        assertThat(batch)
                .filteredOn(message -> !message.isDecodable())
                .singleElement()
                .satisfies(orders::delete);
        assertThat(orders.approximateCount()).isEqualTo(2);
    }

    @Test
    void carriesTheLargestMessages() {
        MessageQueue<byte[]> bytes = storage.queue(name, byte[].class);
        byte[] largest = new byte[49_152];
        largest[0] = -1;
        IntStream.range(0, 32).forEach(i -> bytes.send(largest));
        List<ReceivedMessage<byte[]>> batch = bytes.receive(32);

        assertThat(batch).hasSize(32).allSatisfy(message -> assertThat(message.body())
                .isEqualTo(largest));
        bytes.clear();
        assertThat(bytes.approximateCount()).isZero();

        MessageQueue<String> plain = storage.queue(name).withEncoding(QueueMessageEncoding.NONE);
        plain.send("x".repeat(65_536));
        plain.send("&<".repeat(14_000));
        assertThat(plain.receive(2))
                .extracting(ReceivedMessage::body)
                .containsExactlyInAnyOrder("x".repeat(65_536), "&<".repeat(14_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "{\"a\": [1]}",
                "a < b & c > d ]]> \"e\" 'f'",
                "line\nline\ttab",
                "a\r\nb\rc",
                "  blanks  ",
                "\n",
                "é 東京 \uD83D\uDE00",
                "\u007F\u0085\u2028"
            })
    void carriesTextAsItIs(String text) {
        MessageQueue<String> plain = storage.queue(name).withEncoding(QueueMessageEncoding.NONE);
        plain.send(text);

        assertThat(plain.receive().orElseThrow()).satisfies(message -> {
            assertThat(message.raw()).isEqualTo(text);
            assertThat(message.body()).isEqualTo(text);
        });
    }

    @Test
    @DisplayName("the plain SDK reads what we send, in either encoding")
    void theSdkReadsOurs() {
        orders.send(order(1));
        QueueMessageItem base64 = sdk(QueueMessageEncoding.BASE64).receiveMessage();
        assertThat(base64.getBody().toObject(Order.class)).isEqualTo(order(1));
        sdk(QueueMessageEncoding.BASE64).deleteMessage(base64.getMessageId(), base64.getPopReceipt());

        orders.withEncoding(QueueMessageEncoding.NONE).send(order(2));
        assertThat(sdk(QueueMessageEncoding.NONE).receiveMessage().getBody().toObject(Order.class))
                .isEqualTo(order(2));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("we read what the plain SDK sends, in either encoding, whatever ours is")
    void weReadTheSdks(QueueMessageEncoding encoding) {
        sdk(QueueMessageEncoding.BASE64).sendMessage(BinaryData.fromObject(order(1)));
        sdk(QueueMessageEncoding.NONE).sendMessage(BinaryData.fromObject(order(2)));
        String lines = Base64.getMimeEncoder(20, new byte[] {'\n'})
                .encodeToString(BinaryData.fromObject(order(3)).toString().getBytes(StandardCharsets.UTF_8));
        sdk(QueueMessageEncoding.NONE).sendMessage(lines);

        assertThat(orders.withEncoding(encoding).receive(32))
                .extracting(ReceivedMessage::body)
                .containsExactlyInAnyOrder(order(1), order(2), order(3));
    }

    @Test
    void theSdksClientIsWithinReach() {
        orders.unwrap().sendMessage("by hand").block();

        assertThat(storage.queue(name).receive().orElseThrow().body()).isEqualTo("by hand");
    }

    @Test
    void theReactiveFaceDoesTheSame() {
        ReactiveMessageQueue<Order> reactive = orders.reactive();
        Flux.range(0, 20)
                .flatMap(i -> reactive.send(order(i), send -> send.timeToLive(Duration.ofHours(1))))
                .then()
                .block();
        assertThat(reactive.approximateCount().block()).isEqualTo(20);
        assertThat(reactive.peek(5).block()).hasSize(5);

        List<Integer> handled = reactive.receive(32, Duration.ofMinutes(1))
                .flatMapMany(Flux::fromIterable)
                .flatMap(message -> reactive.update(message, Duration.ofMinutes(2))
                        .flatMap(renewed -> reactive.delete(renewed)
                                .thenReturn(renewed.body().count())))
                .collectList()
                .block();

        assertThat(handled)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 20).boxed().toList());
        assertThat(reactive.exists().block()).isTrue();
        assertThat(reactive.receive().blockOptional()).isEmpty();
        reactive.clear().block();
        reactive.setMetadata(Map.of("a", "b")).block();
        assertThat(reactive.info().block().metadata()).containsEntry("a", "b");
        assertThat(reactive.createIfMissing().block()).isFalse();
        reactive.drop().block();
        assertThat(reactive.dropIfExists().block()).isFalse();
        reactive.create().block();
    }

    @Test
    void narrowedQueuesShareOneQueue() {
        orders.send(order(1));
        ReceivedMessage<Map<?, ?>> message = orders.withCodec(maps()).receive().orElseThrow();

        assertThat(message.body().get("count")).isEqualTo(1);
        orders.delete(message);
        assertThat(orders.approximateCount()).isZero();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // a map of JSON values
    private static MessageCodec<Map<?, ?>> maps() {
        return (MessageCodec) MessageCodec.json(Map.class);
    }

    @Test
    void worksFromVirtualThreads() throws Exception {
        assumeThat(Runtime.version().feature()).isGreaterThanOrEqualTo(21);
        ExecutorService virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            List<Future<SendResult>> sends = IntStream.range(0, 50)
                    .mapToObj(i -> virtual.submit(() -> orders.send(order(i))))
                    .toList();
            for (Future<SendResult> send : sends) {
                assertThat(send.get(60, TimeUnit.SECONDS).mayHaveRepeated()).isFalse();
            }
            assertThat(virtual.submit(() -> orders.receive(32)).get(60, TimeUnit.SECONDS))
                    .hasSize(32);
        } finally {
            virtual.shutdown();
        }
    }
}
