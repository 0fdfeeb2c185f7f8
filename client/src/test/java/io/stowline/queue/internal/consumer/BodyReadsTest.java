package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.Stowline;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.OpenedEnvelope;
import io.stowline.queue.internal.body.ClaimCheckStore;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.consumer.ConsumerBench.Handled;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

@DisplayName("QUEUE-4 QUEUE-6: messages whose bodies do not come from their blobs hold up no others")
class BodyReadsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration READING = Duration.ofSeconds(10);

    private final ConsumerBench bench = new ConsumerBench();
    private final Map<String, Mono<byte[]>> blobs = new HashMap<>();
    private final Map<String, Integer> reads = new HashMap<>();
    private int reading;
    private int maxReading;
    private Stowline storage;

    /** The only requests for blobs are those that remove the bodies of what was handled; they fail. */
    @BeforeEach
    void connect() {
        storage = Stowline.builder()
                .connectionString("AccountName=acct;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:2/acct")
                .httpClient(request -> Mono.error(new ConnectException("no service")))
                .build();
        bench.envelopes = new EnvelopeFormat(
                QueueMessageEncoding.NONE,
                "test",
                Integer.MAX_VALUE,
                1 << 20,
                new ClaimCheckStore(
                        storage.container("bodies").reactive().withRetry(retry -> retry.retries(0)), "orders"));
        bench.bodies = this::read;
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private Mono<MessageView> read(MessageView message) {
        reads.merge(message.header().id(), 1, Integer::sum);
        var envelope = bench.envelopes.own(message.raw());
        return blobs.getOrDefault(envelope.claim().name(), Mono.never())
                .timeout(READING, Mono.error(() -> new TimeoutException("late")), bench.time)
                .map(bytes -> message.opened(new OpenedEnvelope(envelope, bytes, null)))
                .onErrorResume(Exception.class, e -> Mono.just(message.opened(new OpenedEnvelope(envelope, null, e))))
                .doOnSubscribe(begun -> maxReading = Math.max(maxReading, ++reading))
                .doFinally(ended -> reading--);
    }

    private String inBlob(String name) {
        return bench.queue.send("{\"specversion\":\"1.0\",\"id\":\"" + name + "\",\"source\":\"orders\",\"type\":\"t\","
                + "\"stowline\":1,\"dataref\":\"orders/" + name + ".1\",\"dataetag\":\"\\\"0x1\\\"\"}");
    }

    private void hanging(int messages) {
        IntStream.range(0, messages).forEach(i -> inBlob("hanging" + i));
    }

    private void blob(String name, Mono<byte[]> content) {
        blobs.put("orders/" + name + ".1", content);
    }

    private List<String> started() {
        return bench.handled.stream().flatMap(call -> call.ids().stream()).toList();
    }

    @Test
    @DisplayName("beside bodies that hang, small messages start within one poll, from the first second on")
    void smallOnesStart() {
        hanging(200);
        bench.engine(ConsumerBench.settings(2, 1, null));
        bench.pass(SECOND);
        for (int i = 0; i < 300; i++) {
            String small = bench.queue.send("small");
            bench.wake();
            bench.pass(SECOND.dividedBy(2));
            assertThat(started()).as("after " + i + " messages").contains(small);
            bench.last().succeeds();
        }
    }

    @Test
    @DisplayName("a body that is late costs less each time: its message stays hidden longer")
    void costsLess() {
        String id = inBlob("hanging");
        bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(Duration.ofMinutes(30));

        assertThat(reads.get(id)).isBetween(8, 12);
        assertThat(bench.queue.poison()).isEmpty();
        assertThat(bench.queue.holds(id)).isTrue();
    }

    @Test
    @DisplayName("while bodies are late, a quarter of the slots reads them")
    void aQuarterTries() {
        hanging(200);
        bench.engine(ConsumerBench.settings(16, 1, null));
        bench.pass(Duration.ofSeconds(11));
        assertThat(maxReading).isEqualTo(16);
        maxReading = 0;
        bench.pass(Duration.ofMinutes(5));

        assertThat(maxReading).isEqualTo(4);
    }

    @Test
    @DisplayName("when bodies come again, all messages are handled")
    void recovers() {
        hanging(100);
        bench.engine(ConsumerBench.settings(4, 1, null));
        bench.pass(Duration.ofMinutes(1));
        IntStream.range(0, 100).forEach(i -> blob("hanging" + i, Mono.just(new byte[1])));
        for (int i = 0; i < 6_000; i++) {
            bench.pass(Duration.ofMillis(100));
            List.copyOf(bench.handled).stream().filter(Handled::isRunning).forEach(Handled::succeeds);
        }

        assertThat(started()).hasSize(100).doesNotHaveDuplicates();
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName("bodies that take their time are all read at once, and none is given back")
    void slowBodies() {
        for (int i = 0; i < 200; i++) {
            inBlob("slow" + i);
            blob("slow" + i, Mono.delay(Duration.ofMillis(900), bench.time).thenReturn(new byte[1]));
        }
        bench.engine(ConsumerBench.settings(16, 1, null));
        for (int i = 0; i < 150; i++) {
            bench.pass(Duration.ofMillis(100));
            List.copyOf(bench.handled).stream().filter(Handled::isRunning).forEach(Handled::succeeds);
        }

        assertThat(started()).hasSize(200);
        assertThat(bench.channel.requests("giveBack")).isZero();
        assertThat(reads.values()).allMatch(count -> count == 1);
    }

    @Test
    @DisplayName("a handler gets the body that was read, and its lease is renewed until then")
    void handsOver() {
        inBlob("late");
        blob("late", Mono.delay(Duration.ofSeconds(9), bench.time).thenReturn(new byte[] {7}));
        bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(Duration.ofSeconds(20));

        assertThat(bench.last().message().view().opened().body()).containsExactly(7);
        assertThat(bench.channel.requests("renew")).isEqualTo(1);
        bench.last().succeeds();
        bench.pass(SECOND);
        assertThat(bench.queue.size()).isZero();
    }

    @Test
    @DisplayName("QUEUE-5: a stop gives back at once the messages whose bodies are being read, and reads no more")
    void stops() {
        hanging(10);
        bench.engine(ConsumerBench.settings(4, 1, null));
        bench.pass(Duration.ofMillis(500));
        assertThat(reading).isEqualTo(4);
        var report = bench.stop(Duration.ofSeconds(2));
        bench.pass(SECOND);

        assertThat(report.get()).isEqualTo(new StopReport(0, 0, 4, 0));
        assertThat(bench.queue.visible()).isEqualTo(10);
        assertThat(reading).isZero();
    }

    @Test
    @DisplayName("QUEUE-5: so does a pause")
    void pauses() {
        hanging(10);
        ConsumerEngine engine = bench.engine(ConsumerBench.settings(4, 1, null));
        bench.pass(Duration.ofMillis(500));
        engine.pause();
        bench.pass(SECOND);

        assertThat(bench.queue.visible()).isEqualTo(10);
        assertThat(reading).isZero();
    }

    @Test
    @DisplayName("a batch waits for bodies that come soon")
    void batches() {
        for (int i = 0; i < 8; i++) {
            inBlob("soon" + i);
            blob("soon" + i, Mono.delay(Duration.ofMillis(10L * i), bench.time).thenReturn(new byte[1]));
        }
        bench.engine(ConsumerBench.settings(2, 8, null));
        bench.pass(SECOND);

        assertThat(bench.handled).singleElement().satisfies(batch -> assertThat(batch.messages())
                .hasSize(8));
    }

    @Test
    @DisplayName("without a claim check messages with bodies in blobs are given back for others")
    void withoutClaimCheck() {
        bench.envelopes = EnvelopedText.FORMAT;
        inBlob("any");
        String small = bench.queue.send("small");
        bench.engine(ConsumerBench.settings(1, 1, null));
        bench.pass(Duration.ofSeconds(5));

        assertThat(started()).containsExactly(small);
        assertThat(bench.channel.requests("giveBack m1")).isEqualTo(1);
    }
}
