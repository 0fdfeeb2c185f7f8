package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
@DisplayName("QUEUE-3: a move to the poison queue that breaks off or stands still takes no body from a living message")
class BrokenMoveTest {

    private final MovedClock clock = new MovedClock();
    private final MemoryStorage memory = MemoryStorage.create(clock);
    private final ClaimCheckQueue reports = new ClaimCheckQueue(memory);
    private final BlobContainer bodies = reports.bodies;
    private final MessageQueue<byte[]> queue = reports.queue;

    @AfterEach
    void close() {
        reports.close();
    }

    private long sweep() {
        clock.pass(Duration.ofHours(2));
        return queue.sweepBodies(Duration.ofHours(1));
    }

    /** Breaks off before the original is deleted, as a crash does. */
    private void breakOffAfterCopy() throws InterruptedException {
        CountDownLatch copied = new CountDownLatch(1);
        HttpClient service = memory.httpClient();
        HttpClient dying = request -> request.getHttpMethod() == HttpMethod.DELETE
                ? Mono.<HttpResponse>never().doOnSubscribe(sent -> copied.countDown())
                : service.send(request);
        try (Stowline one = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(dying)
                .closeTimeout(Duration.ofMillis(1))
                .build()) {
            MessageQueue<byte[]> there =
                    one.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(one.container("bodies")));
            Disposable move = there.hold(there.receive().orElseThrow())
                    .reactive()
                    .poison("broken")
                    .onErrorComplete()
                    .subscribe();
            copied.await();
            move.dispose();
        }
        clock.pass(Duration.ofMinutes(10));
        assertThat(queue.poison().count()).isEqualTo(1);
        assertThat(queue.approximateCount()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "a move that breaks off before the deletion leaves two messages, and clearing the copy leaves the body of"
                    + " the original")
    void clearedAfterCrash() throws Exception {
        queue.send(new byte[100_000]);
        breakOffAfterCopy();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);

        queue.poison().clear();

        ReceivedMessage<byte[]> original = queue.receive().orElseThrow();
        assertThat(original.body()).hasSize(100_000);
        queue.delete(original);
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName(
            "a move that breaks off before the deletion leaves two messages, and both can be handled after a redrive")
    void redrivenAfterCrash() throws Exception {
        queue.send(new byte[100_000]);
        breakOffAfterCopy();

        assertThat(queue.poison().redrive(all -> true)).isEqualTo(1);

        for (ReceivedMessage<byte[]> message : queue.receive(2)) {
            assertThat(message.body()).hasSize(100_000);
            queue.delete(message);
        }
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName("an original that ends after its move broke off leaves the body of its copy, also to the sweep")
    void originalEndsAfterCrash() throws Exception {
        queue.send(new byte[100_000]);
        breakOffAfterCopy();

        queue.delete(queue.receive().orElseThrow());

        assertThat(sweep()).isZero();
        assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);
        queue.poison().clear();
        assertThat(bodies.stream()).isEmpty();
    }

    @Test
    @DisplayName("a move that stands still between its upload and its send keeps the body from the sweep")
    void sweptInBetween() {
        AtomicBoolean stands = new AtomicBoolean(true);
        HttpClient service = memory.httpClient();
        HttpClient slow = request -> request.getHttpMethod() == HttpMethod.POST && stands.compareAndSet(true, false)
                ? Mono.fromCallable(this::sweep)
                        .subscribeOn(Schedulers.boundedElastic())
                        .doOnNext(removed -> assertThat(removed).isZero())
                        .then(service.send(request))
                : service.send(request);
        queue.send(new byte[100_000]);
        reports.storage.queue("reports-poison").create();
        try (Stowline one = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(slow)
                .build()) {
            MessageQueue<byte[]> there =
                    one.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(one.container("bodies")));
            there.hold(there.receive().orElseThrow()).poison("broken");
            assertThat(queue.poison().peek(1).get(0).body()).hasSize(100_000);
            stands.set(true);
            assertThat(there.poison().redrive(all -> true)).isEqualTo(1);
        }
        assertThat(queue.receive().orElseThrow().body()).hasSize(100_000);
    }
}
