package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import io.stowline.batching.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.MessageQueue.SendOutcome;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A request of the operation is held back until the client is being closed. */
@Timeout(60)
@DisplayName(
        "OUTCOME-0: an operation of several requests that has begun before close() is one operation, and its end is true")
class ClosingQueueOperationsTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final Sinks.Empty<Void> gate = Sinks.empty();
    private final AtomicBoolean loseFirst = new AtomicBoolean();
    private volatile Predicate<HttpRequest> held = request -> false;
    private Stowline storage;
    private MessageQueue<byte[]> queue;

    @BeforeEach
    void connect() {
        connect(Duration.ofSeconds(30));
        storage.container("bodies").create();
        queue.create();
    }

    private void connect(Duration closeTimeout) {
        HttpClient service = memory.httpClient();
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .closeTimeout(closeTimeout)
                .httpClient(request -> Mono.defer(() -> {
                    if (!held.test(request)) {
                        return service.send(request);
                    }
                    arrived.countDown();
                    return gate.asMono()
                            .then(service.send(request))
                            .flatMap(response -> loseFirst.getAndSet(false)
                                    ? Mono.error(new IOException("lost"))
                                    : Mono.just(response));
                }))
                .build();
        queue = storage.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(storage.container("bodies")));
    }

    @AfterEach
    void close() {
        gate.tryEmitEmpty();
        storage.close();
    }

    private static Predicate<HttpRequest> requests(String method, String part) {
        return request -> request.getHttpMethod().toString().equals(method)
                && request.getUrl().toString().contains(part);
    }

    private <R> R besideClose(CompletableFuture<R> operation) throws Exception {
        arrived.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(storage::close);
        while (!isClosed()) {
            Thread.onSpinWait();
        }
        gate.tryEmitEmpty();
        try {
            return operation.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Exception known ? known : e;
        } finally {
            closing.join();
        }
    }

    private boolean isClosed() {
        try {
            storage.container("bodies").exists();
            return false;
        } catch (ClosedException e) {
            return true;
        }
    }

    private void assertLeft(long messages, long poison, int blobs) {
        try (Stowline other = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build()) {
            assertThat(other.queue("reports").approximateCount()).isEqualTo(messages);
            assertThat(other.queue("reports").poison().count()).isEqualTo(poison);
            assertThat(other.container("bodies").list()).hasSize(blobs);
        }
    }

    private ReceivedMessage<byte[]> large() {
        queue.send(new byte[100_000]);
        return queue.receive().orElseThrow();
    }

    @Test
    @DisplayName("a large send is finished, and says that it may have repeated")
    void send() throws Exception {
        held = requests("POST", "/reports/messages");
        loseFirst.set(true);

        SendResult sent = besideClose(queue.reactive().send(new byte[100_000]).toFuture());

        assertThat(sent.mayHaveRepeated()).isTrue();
        assertLeft(2, 0, 1);
    }

    @Test
    @DisplayName("a large send whose blob is on its way is finished")
    void sendWithBlob() throws Exception {
        held = requests("PUT", "/bodies/reports");

        besideClose(queue.reactive().send(new byte[100_000]).toFuture());

        assertLeft(1, 0, 1);
    }

    @Test
    @DisplayName("the deletion of a large message succeeds, and its body is removed")
    void delete() throws Exception {
        ReceivedMessage<byte[]> message = large();
        held = requests("DELETE", "/reports/messages");

        assertThat(besideClose(queue.reactive().deleteIfOurs(message).toFuture()))
                .isTrue();
        assertLeft(0, 0, 0);
    }

    @Test
    @DisplayName("a held message is completed, and its body is removed")
    void complete() throws Exception {
        MessageLease<byte[]> lease = queue.hold(large());
        held = requests("DELETE", "/reports/messages");

        besideClose(lease.reactive().complete().toFuture());

        assertLeft(0, 0, 0);
    }

    @Test
    @DisplayName("a held message becomes poison by all of its steps")
    void poison() throws Exception {
        MessageLease<byte[]> lease = queue.hold(large());
        held = requests("GET", "/bodies/");

        besideClose(lease.reactive().poison("broken").toFuture());

        assertLeft(0, 1, 1);
    }

    @Test
    @DisplayName("a redrive moves its messages, and says how many")
    void redrive() throws Exception {
        queue.hold(large()).poison("broken");
        held = requests("POST", "/reports/messages");

        assertThat(besideClose(queue.poison().reactive().redrive(all -> true).toFuture()))
                .isEqualTo(1);
        assertLeft(1, 0, 1);
    }

    @Test
    @DisplayName("a redrive that is cut while it reads a body names that request, and not one that was never sent")
    void cutRedrive() throws Exception {
        queue.hold(large()).poison("broken");
        held = requests("GET", "/bodies/");
        storage.close();
        connect(Duration.ofMillis(50));
        CompletableFuture<Long> redrive =
                queue.poison().reactive().redrive(all -> true).toFuture();
        arrived.await();
        storage.close();

        assertThatThrownBy(redrive::join)
                .cause()
                .hasMessageContainingAll("bodies/reports/", "attempts 1")
                .hasMessageNotContaining("update");
    }

    @Test
    @DisplayName("of many bodies each has an outcome: those not begun are refused by the closed client")
    void sendAll() throws Exception {
        held = requests("POST", "/reports/messages");
        List<byte[]> bodies =
                IntStream.range(0, 200).mapToObj(i -> new byte[] {(byte) i}).toList();

        List<SendOutcome<byte[]>> outcomes =
                besideClose(queue.reactive().sendAll(bodies).toFuture());

        assertThat(outcomes).hasSize(200);
        long sent = outcomes.stream().filter(SendOutcome::isSent).count();
        assertThat(sent).isBetween(1L, 199L);
        assertThat(outcomes).filteredOn(outcome -> !outcome.isSent()).allSatisfy(outcome -> assertThat(outcome.error())
                .isInstanceOf(ClosedException.class));
        assertLeft(sent, 0, 0);
    }

    @Test
    @DisplayName("an operation that closing does not wait for ends as unknown, with its facts")
    void cutShort() throws Exception {
        ReceivedMessage<byte[]> message = large();
        storage.close();
        connect(Duration.ofMillis(1));
        held = requests("DELETE", "/reports/messages");
        CompletableFuture<Void> deletion = queue.reactive().delete(message).toFuture();
        arrived.await();
        storage.close();

        assertThatThrownBy(deletion::join)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("this Stowline was closed before the operation had ended");
    }
}
