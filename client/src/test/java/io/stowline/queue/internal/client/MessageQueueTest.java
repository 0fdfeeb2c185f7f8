package io.stowline.queue.internal.client;

import static io.stowline.queue.internal.QueueBench.error;
import static io.stowline.queue.internal.QueueBench.messages;
import static io.stowline.queue.internal.QueueBench.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ThrottledException;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.UndecodableMessageException;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.retry.Backoff;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
class MessageQueueTest {

    record Order(String id, int count) {}

    private static final String NEXT = "x-ms-popreceipt";
    private static final String VISIBLE = "x-ms-time-next-visible";
    private static final String LATER = "Thu, 29 Feb 2024 12:05:00 GMT";

    private final Scheduler callbacks = Schedulers.newSingle("callback");
    private final QueueBench bench = new QueueBench();
    private final MessageQueue<Order> orders = queue(MessageCodec.json(Order.class));

    private <T> MessageQueue<T> queue(MessageCodec<T> codec) {
        return new DefaultMessageQueue<>(new QueueContext<>(
                bench.client(),
                new BodyFormat<>(codec, QueueMessageEncoding.BASE64),
                Callbacks.on(callbacks::schedule),
                null));
    }

    @AfterEach
    void endThreads() {
        callbacks.dispose();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private ReceivedMessage<Order> received() {
        bench.responds(200, messages(base64("{\"id\":\"a\",\"count\":1}")));
        return orders.receive().orElseThrow();
    }

    @Test
    void sendsAValue() {
        bench.responds(201, sent("7"));
        SendResult done = orders.send(new Order("a", 1));

        assertThat(bench.wire().last().body()).contains(base64("{\"id\":\"a\",\"count\":1}"));
        assertThat(bench.wire().last().url()).doesNotContain("visibilitytimeout", "messagettl");
        assertThat(done.id()).isEqualTo("7");
        assertThat(done.mayHaveRepeated()).isFalse();
    }

    @Test
    void sendsWithOptions() {
        bench.responds(201, sent("7")).responds(201, sent("8"));
        orders.send(new Order("a", 1), send -> send.delay(Duration.ofMillis(1)).timeToLive(Duration.ofSeconds(9)));
        assertThat(bench.wire().last().url()).contains("visibilitytimeout=1", "messagettl=9");

        orders.send(new Order("a", 1), send -> send.delay(Duration.ofDays(7)).neverExpires());
        assertThat(bench.wire().last().url()).contains("visibilitytimeout=604800", "messagettl=-1");
    }

    @Test
    void refusesBeforeSending() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.send(new Order("a", 1), send -> send.delay(Duration.ofDays(8))))
                .withMessageStartingWith("delay is");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.send(new Order("a", 1), send -> send.timeToLive(Duration.ofSeconds(1))
                        .delay(Duration.ofSeconds(1))))
                .withMessageStartingWith("delay is PT1S and must be less than timeToLive");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.send(new Order("a".repeat(50_000), 1)))
                .withMessageContaining("49152");
        assertThatIllegalArgumentException().isThrownBy(() -> orders.receive(33));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.receive(1, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.peek(0));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.setMetadata(Map.of("a b", "c")));
        assertThatNullPointerException().isThrownBy(() -> orders.send(null)).withMessage("body");
        assertThat(bench.wire().sent()).isEmpty();
    }

    @Test
    @DisplayName("the reactive face refuses at the subscription, as an error")
    void refusesAtTheSubscription() {
        Mono<?> refused = orders.reactive().receive(33);

        assertThatIllegalArgumentException().isThrownBy(refused::block);
        assertThat(bench.wire().sent()).isEmpty();
    }

    @Test
    void receivesValues() {
        bench.responds(200, messages(base64("{\"id\":\"a\",\"count\":1}"), "{\"id\":\"b\",\"more\":[]}"));
        List<ReceivedMessage<Order>> batch = orders.receive(32);

        assertThat(bench.wire().last().url()).contains("visibilitytimeout=30", "numofmessages=32");
        assertThat(batch).extracting(ReceivedMessage::body).containsExactly(new Order("a", 1), new Order("b", 0));
        assertThat(batch.get(1)).satisfies(message -> {
            assertThat(message.id()).isEqualTo("id-1");
            assertThat(message.dequeueCount()).isEqualTo(2);
            assertThat(message.popReceipt()).isEqualTo(QueueBench.RECEIPT);
            assertThat(message.insertedAt()).isEqualTo(Instant.parse("2024-02-29T12:00:00Z"));
            assertThat(message.expiresAt()).isEqualTo(Instant.parse("2024-03-07T12:00:00Z"));
            assertThat(message.visibleAt()).isEqualTo(Instant.parse("2024-02-29T12:00:30Z"));
            assertThat(message.raw()).isEqualTo("{\"id\":\"b\",\"more\":[]}");
        });
    }

    @Test
    void anEmptyQueueGivesNothing() {
        for (int i = 0; i < 4; i++) {
            bench.responds(200, messages());
        }
        assertThat(orders.receive()).isEmpty();
        assertThat(orders.receive(32)).isEmpty();
        assertThat(orders.peek(32)).isEmpty();
        assertThat(orders.reactive().receive().blockOptional()).isEmpty();
    }

    @Test
    @DisplayName("QUEUE-6: a message that cannot be decoded fails alone, and can be updated and deleted")
    void undecodableMessage() {
        bench.responds(200, messages(base64("{\"id\":\"a\"}"), "top secret", "", base64("{\"id\":\"b\"}")));
        List<ReceivedMessage<Order>> batch = orders.receive(4);

        assertThat(batch).extracting(ReceivedMessage::isDecodable).containsExactly(true, false, false, true);
        assertThat(batch.get(3).body()).isEqualTo(new Order("b", 0));
        ReceivedMessage<Order> bad = batch.get(1);
        assertThat(bad.raw()).isEqualTo("top secret");
        assertThatExceptionOfType(UndecodableMessageException.class)
                .isThrownBy(bad::body)
                .withMessageStartingWith(
                        "message id-1 of queue orders cannot be decoded: it cannot be read from JSON as "
                                + Order.class.getName() + ": JsonParseException at line 1, column ")
                .satisfies(e -> assertThat(e.queue()).isEqualTo("orders"))
                .satisfies(e -> assertThat(e.messageId()).isEqualTo("id-1"))
                .satisfies(e -> assertThat(bad.failure()).containsSame(e));

        bench.responds(204, "", NEXT, "next", VISIBLE, LATER).responds(204, "");
        ReceivedMessage<Order> renewed = orders.update(bad, Duration.ofMinutes(1));
        assertThat(renewed.isDecodable()).isFalse();
        orders.delete(renewed);
        assertThat(bench.wire().last().url()).contains("messages/id-1?popreceipt=next");
    }

    @Test
    @DisplayName("QUEUE-6: a message that is looked at may be undecodable too")
    void undecodableLook() {
        bench.responds(200, messages(base64("{\"id\":\"a\"}"), "top secret"));
        List<PeekedMessage<Order>> peeked = orders.peek(2);

        assertThat(peeked.get(0).body()).isEqualTo(new Order("a", 0));
        assertThat(peeked.get(1).isDecodable()).isFalse();
        assertThat(peeked.get(1).failure()).isPresent();
        assertThat(peeked.get(1).raw()).isEqualTo("top secret");
        assertThatExceptionOfType(UndecodableMessageException.class)
                .isThrownBy(peeked.get(1)::body)
                .withMessageNotContaining("secret");
    }

    @Test
    void updatesALease() {
        ReceivedMessage<Order> first = received();
        bench.responds(204, "", NEXT, "next", VISIBLE, LATER);
        ReceivedMessage<Order> second = orders.update(first, Duration.ofMinutes(5));

        assertThat(bench.wire().last().body()).isEmpty();
        assertThat(second.popReceipt()).isEqualTo("next");
        assertThat(second.visibleAt()).isEqualTo(Instant.parse("2024-02-29T12:05:00Z"));
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(first.popReceipt()).isEqualTo(QueueBench.RECEIPT);
    }

    @Test
    void replacesABody() {
        ReceivedMessage<Order> first = received();
        bench.responds(204, "", NEXT, "next", VISIBLE, LATER);
        ReceivedMessage<Order> second = orders.update(first, new Order("b", 2), Duration.ZERO);

        assertThat(bench.wire().last().body()).contains(base64("{\"id\":\"b\",\"count\":2}"));
        assertThat(second.body()).isEqualTo(new Order("b", 2));
        assertThat(second.raw()).isEqualTo(base64("{\"id\":\"b\",\"count\":2}"));
        assertThat(first.body()).isEqualTo(new Order("a", 1));
    }

    @Test
    @DisplayName("OUTCOME-7: a message that is not ours any more is no failure of deleteIfOurs")
    void deletesWhatIsOurs() {
        ReceivedMessage<Order> message = received();
        bench.responds(204, "").responds(404, error("MessageNotFound")).responds(404, error("MessageNotFound"));

        assertThat(orders.deleteIfOurs(message)).isTrue();
        assertThat(orders.deleteIfOurs(message)).isFalse();
        assertThat(orders.reactive().deleteIfOurs(message).block()).isFalse();
        bench.responds(404, error("QueueNotFound"));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> orders.deleteIfOurs(message));
    }

    @Test
    @DisplayName("OUTCOME-7: a message that was sent is taken back, and one that another has received comes again")
    void takesBack() {
        bench.responds(201, sent("id-0")).responds(204, "");
        SendResult message = orders.send(new Order("a", 1));
        orders.delete(message);
        assertThat(bench.wire().last().method()).isEqualTo("DELETE");
        assertThat(bench.wire().last().url()).contains("/messages/id-0?popreceipt=AgAAAAMAAAA%2Bb%2FA%3D%3D");

        bench.responds(404, error("MessageNotFound")).responds(400, error("PopReceiptMismatch"));
        assertThat(orders.deleteIfOurs(message)).isFalse();
        assertThat(orders.reactive().deleteIfOurs(message).block()).isFalse();
        bench.responds(404, error("MessageNotFound")).responds(404, error("MessageNotFound"));
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> orders.delete(message));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> orders.reactive().delete(message).block())
                .withMessageNotContaining("if it is received here again");

        assertThat(received().id()).isEqualTo("id-0");
    }

    @Test
    void refusesAMessageOfAnotherQueue() {
        ReceivedMessage<Order> message = received();
        MessageQueue<Order> others = orders;
        ReceivedMessage<Order> foreign = new DefaultReceivedMessage<>(
                new io.stowline.queue.internal.MessageView.MessageHeader(
                        "others", "7", 1, Instant.EPOCH, Instant.EPOCH),
                MessageBody.written("", new Order("a", 1), null),
                bench.lease("r", Duration.ofMinutes(1)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> others.delete(foreign))
                .withMessage("message 7 was received from queue others, not from orders");
        assertThatIllegalArgumentException().isThrownBy(() -> others.update(foreign, Duration.ZERO));
        assertThat(message.id()).isEqualTo("id-0");
        assertThat(bench.wire().sent()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-7: neither bodies nor pop receipts stand in the text forms")
    void textForms() {
        ReceivedMessage<Order> message = received();
        bench.responds(200, messages(base64("{\"id\":\"a\"}"))).responds(201, sent("7"));
        PeekedMessage<Order> peeked = orders.peek(1).get(0);
        SendResult done = orders.send(new Order("a", 1));

        assertThat(message).hasToString("Received[orders(id-0), dequeueCount=1, visibleAt=2024-02-29T12:00:30Z]");
        assertThat(peeked).hasToString("Peeked[orders(id-0), dequeueCount=1]");
        assertThat(done.toString()).startsWith("Sent[orders(7), ").doesNotContain(QueueBench.RECEIPT);
        assertThat(orders).hasToString("MessageQueue[orders]");
        assertThat(orders.reactive()).hasToString("ReactiveMessageQueue[orders]");
    }

    @Test
    void narrowsWithoutChangingTheOriginal() {
        bench.responds(201, sent("1")).responds(201, sent("2")).responds(201, sent("3"));
        MessageQueue<String> plain = orders.withCodec(MessageCodec.text()).withEncoding(QueueMessageEncoding.NONE);
        plain.send("a < b");
        assertThat(bench.wire().last().body()).contains("<MessageText>a &lt; b</MessageText>");
        orders.send(new Order("a", 1));
        assertThat(bench.wire().last().body()).contains(base64("{\"id\":\"a\",\"count\":1}"));
        plain.withEncoding(QueueMessageEncoding.BASE64).send("a");
        assertThat(bench.wire().last().body()).contains("<MessageText>YQ==</MessageText>");

        bench.responds(503, error("ServerBusy"));
        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() ->
                        plain.withRetry(retry -> retry.backoff(Backoff.none())).clear())
                .satisfies(e -> assertThat(e.failure().attempts()).isEqualTo(1));
    }

    @Test
    @DisplayName("DESIGN: results of the reactive face arrive, and bodies are decoded, on the callback threads")
    void resultsArriveOnTheCallbackThreads() throws Exception {
        CompletableFuture<String> decodedOn = new CompletableFuture<>();
        ReactiveMessageQueue<String> watched = queue(watching(decodedOn)).reactive();
        bench.responds(200, messages("text")).responds(201, sent("7"));
        String receivedOn = watched.receive()
                .map(message -> Thread.currentThread().getName())
                .block();
        String sentOn = watched.send("text")
                .map(done -> Thread.currentThread().getName())
                .block();

        assertThat(decodedOn.get(20, TimeUnit.SECONDS)).startsWith("callback");
        assertThat(receivedOn).startsWith("callback");
        assertThat(sentOn).startsWith("callback");
    }

    @Test
    void theBlockingFaceDecodesOnTheCallersThread() throws Exception {
        CompletableFuture<String> decodedOn = new CompletableFuture<>();
        bench.responds(200, messages("text"));
        queue(watching(decodedOn)).receive();

        assertThat(decodedOn.get(20, TimeUnit.SECONDS))
                .isEqualTo(Thread.currentThread().getName());
    }

    private static MessageCodec<String> watching(CompletableFuture<String> decodedOn) {
        return new MessageCodec<>() {
            @Override
            public byte[] encode(String value) {
                return value.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                decodedOn.complete(Thread.currentThread().getName());
                return "decoded";
            }
        };
    }

    @Test
    void refusesToBlockAnEventLoop() {
        Mono<Long> blocking = Mono.fromCallable(orders::approximateCount).subscribeOn(Schedulers.parallel());

        assertThatIllegalStateException().isThrownBy(blocking::block).withMessageContaining("reactive()");
        assertThat(bench.wire().sent()).isEmpty();
    }
}
