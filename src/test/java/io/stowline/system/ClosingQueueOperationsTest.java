package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import io.stowline.error.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
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
        "OUTCOME-0: an operation of several requests that has begun before close() is one operation, and its end is"
                + " true")
class ClosingQueueOperationsTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final Sinks.Empty<Void> gate = Sinks.empty();
    private final AtomicBoolean loseFirst = new AtomicBoolean();
    private final AtomicBoolean parks = new AtomicBoolean();
    private final BlockingQueue<Runnable> parked = new LinkedBlockingQueue<>();
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
        connect(closeTimeout, builder -> builder);
    }

    private void connect(Duration closeTimeout, UnaryOperator<Stowline.Builder> more) {
        HttpClient service = memory.httpClient();
        storage = more.apply(Stowline.builder())
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

    /** Keeps the next delivery back if {@link #parks} is set, as a busy executor of the application does. */
    private void parkedOrRun(Runnable delivery) {
        if (parks.getAndSet(false)) {
            parked.add(delivery);
        } else {
            new Thread(delivery).start();
        }
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
            ShortPause.park();
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
            assertThat(other.container("bodies").stream()).hasSize(blobs);
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

        List<ItemResult<byte[], SendResult>> outcomes =
                besideClose(queue.reactive().sendAll(bodies).toFuture());

        assertThat(outcomes).hasSize(200);
        long sent = outcomes.stream().filter(ItemResult::succeeded).count();
        assertThat(sent).isBetween(1L, 199L);
        assertThat(outcomes)
                .filteredOn(outcome -> !outcome.succeeded())
                .allSatisfy(outcome -> assertThat(outcome.error()).isInstanceOf(ClosedException.class));
        assertLeft(sent, 0, 0);
    }

    @Test
    @DisplayName("an operation that closing does not wait for ends as unknown, with its facts")
    void cutShort() throws Exception {
        ReceivedMessage<byte[]> message = large();
        storage.close();
        connect(Duration.ofMillis(1));
        held = requests("DELETE", "/reports/messages");
        CompletableFuture<?> deletion = queue.reactive().delete(message).toFuture();
        arrived.await();
        storage.close();

        assertThatThrownBy(deletion::join)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("this Stowline was closed before the operation had ended");
    }

    @Test
    @DisplayName("a large send that is cut while its body is on its way has sent no message for certain")
    void cutBody() throws Exception {
        storage.close();
        connect(Duration.ofMillis(50));
        held = requests("PUT", "/bodies/reports");
        CompletableFuture<SendResult> send =
                queue.reactive().send(new byte[100_000]).toFuture();
        arrived.await();
        storage.close();

        assertThatThrownBy(send::join)
                .hasCauseInstanceOf(UnreachableException.class)
                .hasMessageContaining("not carried out: no message names the blob");
        assertLeft(0, 0, 0);
    }

    @Test
    @DisplayName("a large send that is cut between its body and its message has sent no message for certain")
    void cutBehindBody() throws Exception {
        storage.close();
        connect(Duration.ofMillis(50), builder -> builder.callbacks(this::parkedOrRun));
        held = requests("PUT", "/bodies/reports");
        CompletableFuture<SendResult> send =
                queue.reactive().send(new byte[100_000]).toFuture();
        arrived.await();
        parks.set(true);
        gate.tryEmitEmpty();
        Runnable behindBody = parked.take();
        storage.close();
        behindBody.run();

        assertThatThrownBy(send::join).hasCauseInstanceOf(UnreachableException.class);
        assertLeft(0, 0, 1);
    }

    @Test
    @DisplayName("RETRY-8: an interrupt while a large send writes its body shows that no message was sent")
    void interruptedBody() throws Exception {
        held = requests("PUT", "/bodies/reports");
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread caller = new Thread(() -> end.complete(catchThrowable(() -> queue.send(new byte[100_000]))));
        caller.start();
        arrived.await();
        caller.interrupt();

        assertThat(end.join())
                .isInstanceOf(StorageInterruptedException.class)
                .hasMessageContaining("no request had gone out that may have been applied")
                .hasMessageContaining("no message names the blob");
        caller.join();
        assertLeft(0, 0, 0);
    }

    @Test
    @DisplayName("a large send whose body has an unknown outcome has sent no message for certain")
    void lostBody() {
        storage.close();
        HttpClient service = memory.httpClient();
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .retry(r -> r.retries(0)
                        .attemptTimeout(Duration.ofMillis(900))
                        .minAttempt(Duration.ofMillis(100))
                        .deadline(Duration.ofMillis(950)))
                .httpClient(request -> request.getUrl().getPath().contains("/bodies/")
                        ? service.send(request).then(Mono.error(new IOException("lost")))
                        : service.send(request))
                .build();
        queue = storage.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(storage.container("bodies")));

        assertThatThrownBy(() -> queue.send(new byte[100_000]))
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("not carried out: no message names the blob");
        assertLeft(0, 0, 1);
    }

    @Test
    @DisplayName(
            "a deletion that is cut while it removes the body has deleted its message, and its facts are those of the"
                    + " message")
    void cutRemoval() throws Exception {
        ReceivedMessage<byte[]> message = large();
        storage.close();
        connect(Duration.ofMillis(50), builder -> builder.callbacks(this::parkedOrRun));
        held = requests("DELETE", "/bodies/");
        CompletableFuture<?> deletion = queue.reactive().delete(message).toFuture();
        arrived.await();
        parks.set(true);
        storage.close();
        parked.take().run();

        assertThatThrownBy(deletion::join)
                .cause()
                .hasMessageContaining("reports")
                .hasMessageContaining("a success had come and not reached the caller")
                .hasMessageNotContaining("bodies/");
        assertLeft(0, 0, 1);
    }

    @Test
    @DisplayName("a deletion whose removal of the body is cut succeeds if the end of the removal arrives in time")
    void endedRemoval() throws Exception {
        ReceivedMessage<byte[]> message = large();
        storage.close();
        connect(Duration.ofMillis(50), builder -> builder.callbacks(Runnable::run));
        held = requests("DELETE", "/bodies/");
        CompletableFuture<?> deletion = queue.reactive().delete(message).toFuture();
        arrived.await();
        storage.close();

        assertThat(deletion).isCompleted();
        assertThat(deletion.isCompletedExceptionally()).isFalse();
        assertLeft(0, 0, 1);
    }
}
