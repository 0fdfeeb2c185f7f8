package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The response to the first send into a queue is lost, after another client has handled the message. */
@Timeout(60)
@DisplayName("QUEUE-3: a send that was repeated leaves a body for its second message, although the first is done")
class RepeatedSendBodyTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final ClaimCheckQueue reports = new ClaimCheckQueue(memory);
    private final AtomicBoolean lost = new AtomicBoolean();
    private Stowline storage;
    private MessageQueue<byte[]> queue;

    @BeforeEach
    void connect() {
        HttpClient service = memory.httpClient();
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(request -> request.getHttpMethod() == HttpMethod.POST
                                && request.getUrl().getPath().contains("/reports/messages")
                                && lost.compareAndSet(false, true)
                        ? service.send(request)
                                .publishOn(Schedulers.boundedElastic())
                                .doOnNext(response -> reports.queue.delete(
                                        reports.queue.receive().orElseThrow()))
                                .then(Mono.error(new IOException("lost")))
                        : service.send(request))
                .build();
        queue = storage.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(storage.container("bodies")));
    }

    @AfterEach
    void close() {
        storage.close();
        reports.close();
    }

    @Test
    @DisplayName("of a send")
    void send() {
        assertThat(queue.send(new byte[100_000]).mayHaveRepeated()).isTrue();

        ReceivedMessage<byte[]> second = queue.receive().orElseThrow();
        assertThat(second.body()).hasSize(100_000);
    }

    @Test
    @DisplayName("of a redrive")
    void redrive() {
        lost.set(true);
        queue.send(new byte[100_000]);
        queue.hold(queue.receive().orElseThrow()).poison("broken");
        lost.set(false);
        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);

        ReceivedMessage<byte[]> second = queue.receive().orElseThrow();
        assertThat(second.body()).hasSize(100_000);
    }
}
