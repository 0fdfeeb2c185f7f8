package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** A client whose reads of blobs never get a response. */
@Timeout(60)
@DisplayName("Q3: a consumer gives back a message whose body it cannot read, which is no failure of the message")
class UnreadableBodyTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private Stowline storage;
    private MessageQueue<byte[]> queue;

    @BeforeEach
    void connect() {
        HttpClient service = memory.httpClient();
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(request -> request.getHttpMethod() == HttpMethod.GET
                                && request.getUrl().getPath().contains("/bodies/")
                        ? Mono.never()
                        : service.send(request))
                .build();
        BlobContainer bodies = storage.container("bodies");
        bodies.create();
        queue = storage.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(bodies));
        queue.create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    @Test
    @DisplayName("bodies that do not come keep the others back for a part of the lease only")
    void late() throws InterruptedException {
        queue.send(new byte[100_000]);
        queue.send(new byte[100_000]);
        queue.send(new byte[1]);
        CountDownLatch small = new CountDownLatch(1);
        try (QueueConsumer consumer = queue.consume(m -> small.countDown())
                .concurrency(1)
                .poisonAfter(1)
                .lease(Duration.ofSeconds(10))
                .handlerTimeout(Duration.ofSeconds(1))
                .start()) {
            small.await();
            while (consumer.stats().released() < 2) {
                ShortPause.park();
            }

            assertThat(consumer.stats().poisoned()).isZero();
        }
        assertThat(queue.poison().count()).isZero();
    }

    @Test
    @DisplayName("a consumer without a claim check leaves the message to one that has it")
    void withoutClaimCheck() {
        queue.send(new byte[100_000]);
        try (QueueConsumer consumer =
                queue.withEnvelope(e -> e).consume(m -> {}).poisonAfter(1).start()) {
            while (consumer.stats().released() + consumer.stats().poisoned() == 0) {
                ShortPause.park();
            }
        }

        assertThat(queue.poison().count()).isZero();
        assertThat(queue.approximateCount()).isEqualTo(1);
        assertThat(storage.container("bodies").stream()).hasSize(1);
    }
}
