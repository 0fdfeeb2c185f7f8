package io.stowline.queue.internal.client;

import static io.stowline.queue.internal.QueueBench.messages;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.Stowline;
import io.stowline.queue.EnvelopeSettings;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

@Timeout(60)
@DisplayName("QUEUE-6, Q3: a body that does not come from its blob fails alone, within the lease of the others")
class LateBodiesTest {

    private static final String IN_BLOB = "{\"specversion\":\"1.0\",\"id\":\"e\",\"source\":\"orders\",\"type\":\"t\","
            + "\"stowline\":1,\"dataref\":\"orders/e.1\",\"dataetag\":\"\\\"0x1\\\"\"}";

    private final QueueBench bench = new QueueBench();
    private final CountDownLatch requested = new CountDownLatch(1);
    private final Stowline blobs = Stowline.builder()
            .connectionString("AccountName=acct;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:2/acct")
            .httpClient(request -> {
                requested.countDown();
                return Mono.never();
            })
            .build();

    @AfterEach
    void close() {
        blobs.close();
    }

    private ReactiveMessageQueue<String> queue(UnaryOperator<EnvelopeSettings.Builder> options) {
        return new DefaultReactiveMessageQueue<>(new QueueContext<>(
                        bench.client(),
                        new BodyFormat<>(MessageCodec.text(), QueueMessageEncoding.NONE),
                        Callbacks.on(Runnable::run),
                        null)
                .envelope(options));
    }

    private ReactiveMessageQueue<String> withBlobs() {
        return queue(envelope -> envelope.claimCheck(blobs.container("bodies")));
    }

    @Test
    @DisplayName("a receive returns after a third of the lease, with the message as one that cannot be read now")
    void receive() throws Exception {
        bench.responds(200, messages(IN_BLOB, "small"));
        QueueBench.Running<List<ReceivedMessage<String>>> receive =
                bench.start(withBlobs().receive(32, Duration.ofSeconds(30)));
        requested.await();
        bench.pass(Duration.ofMillis(9_900));
        assertThat(receive.future()).isNotDone();
        bench.pass(Duration.ofMillis(100));

        List<ReceivedMessage<String>> received = receive.value();
        assertThat(received).extracting(ReceivedMessage::isDecodable).containsExactly(false, true);
        assertThat(received.get(0).failure().orElseThrow())
                .hasMessageContaining("its body cannot be read from its blob now: it was not read within PT10S");
        assertThat(received.get(1).body()).isEqualTo("small");
    }

    @Test
    @DisplayName("many late bodies take no longer than one")
    void many() throws Exception {
        String[] texts = new String[32];
        Arrays.fill(texts, IN_BLOB);
        texts[31] = "small";
        bench.responds(200, messages(texts));
        QueueBench.Running<List<ReceivedMessage<String>>> receive =
                bench.start(withBlobs().receive(32, Duration.ofSeconds(30)));
        requested.await();
        bench.pass(Duration.ofSeconds(10));

        assertThat(receive.value()).filteredOn(ReceivedMessage::isDecodable).hasSize(1);
    }

    @Test
    @DisplayName("a peek ends with the deadline of its queue")
    void peek() throws Exception {
        bench.responds(200, messages(IN_BLOB, "small"));
        QueueBench.Running<List<PeekedMessage<String>>> peek = bench.start(withBlobs()
                .withRetry(retry -> retry.deadline(Duration.ofSeconds(7)))
                .peek(32));
        requested.await();
        bench.pass(Duration.ofSeconds(7));

        assertThat(peek.value()).extracting(PeekedMessage::isDecodable).containsExactly(false, true);
    }

    @Test
    @DisplayName("a queue without a claim check says that it lacks one")
    void withoutClaimCheck() throws Exception {
        bench.responds(200, messages(IN_BLOB));

        assertThat(bench.start(queue(envelope -> envelope).receive(1)).value())
                .singleElement()
                .satisfies(message -> assertThat(message.failure().orElseThrow())
                        .hasMessageContaining("this queue has no claimCheck for the blob orders/e.1"));
    }
}
