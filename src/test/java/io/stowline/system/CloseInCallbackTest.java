package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The client is closed in the code that its verbs call. */
@Timeout(60)
class CloseInCallbackTest {

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    private static final byte[] CONTENT = new byte[5];

    private final MemoryStorage memory = MemoryStorage.create();
    private final CompletableFuture<String> met = new CompletableFuture<>();
    private final Stowline other = client();
    private Stowline storage;

    private Stowline client() {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .closeTimeout(Duration.ofMinutes(2))
                .build();
    }

    @BeforeEach
    void prepare() {
        other.queue("orders").create();
        other.queue("orders-poison").create();
        other.queue("orders-poison").send("bad");
        other.container("files").create();
        other.container("files").upload(CONTENT, "old");
        runners(other).create();
        runners(other).insert(new Runner("2026", "1", "John"));
        storage = client();
    }

    @AfterEach
    void close() {
        storage.close();
        other.close();
    }

    private static Table<Runner> runners(Stowline client) {
        return client.table("runners", Runner.class);
    }

    private MessageQueue<String> orders() {
        return storage.queue("orders");
    }

    private PoisonQueue<String> poison() {
        return orders().poison();
    }

    /** Closes the client, once. */
    private void closing() {
        meeting(storage::close);
    }

    private void meeting(Runnable close) {
        if (!met.isDone()) {
            met.complete(outcome(close));
        }
    }

    private static String outcome(Runnable call) {
        try {
            call.run();
            return "returned";
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    private boolean closingFilter(Object ignored) {
        closing();
        return false;
    }

    private final class ClosingInput extends InputStream {

        private final ByteArrayInputStream content = new ByteArrayInputStream(CONTENT);

        @Override
        public int read() {
            throw new UnsupportedOperationException("read in arrays");
        }

        @Override
        public int read(byte[] target, int from, int max) {
            closing();
            return content.read(target, from, max);
        }
    }

    private final class ClosingOutput extends OutputStream {

        @Override
        public void write(int value) {
            closing();
        }
    }

    private final class ClosingCodec implements MessageCodec<String> {

        @Override
        public byte[] encode(String body) {
            return body.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            closing();
            return "decoded";
        }
    }

    /** A use of the client whose code closes it. */
    private record Use(String name, UseCall call) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** The call of a use. */
    private interface UseCall {
        void make(CloseInCallbackTest test);
    }

    static Stream<Use> waiting() {
        return Stream.of(
                new Use("poison().forEach", t -> t.poison().forEach(m -> t.closing())),
                new Use("poison().redrive", t -> t.poison().redrive(t::closingFilter)),
                new Use("poison().remove", t -> t.poison().remove(t::closingFilter)),
                new Use(
                        "reactive forEach",
                        t -> t.poison().reactive().forEach(m -> t.closing()).block()),
                new Use(
                        "reactive redrive",
                        t -> t.poison().reactive().redrive(t::closingFilter).block()),
                new Use(
                        "reactive remove",
                        t -> t.poison().reactive().remove(t::closingFilter).block()),
                new Use(
                        "a codec in a filter",
                        t -> t.orders().withCodec(t.new ClosingCodec()).poison().redrive(m -> m.body()
                                .isEmpty())),
                new Use("block() of the closing", t -> t.poison().redrive(m -> {
                    t.meeting(() -> t.storage.reactive().close().block());
                    return false;
                })),
                new Use("toIterable() of the closing", t -> t.poison().redrive(m -> {
                    t.meeting(() ->
                            t.storage.reactive().close().flux().toIterable().forEach(end -> {}));
                    return false;
                })),
                new Use(
                        "the stream of an upload",
                        t -> t.storage.container("files").upload(t.new ClosingInput(), "new")),
                new Use("the stream of a reactive upload", t -> t.storage
                        .reactive()
                        .container("files")
                        .upload(t.new ClosingInput(), "new")
                        .block()),
                new Use("the publisher of an upload", t -> t.storage
                        .reactive()
                        .container("files")
                        .upload(
                                Flux.defer(() -> {
                                    t.closing();
                                    return Flux.just(ByteBuffer.wrap(CONTENT));
                                }),
                                "new")
                        .block()),
                new Use(
                        "the progress of an upload",
                        t -> t.storage.container("files").upload(CONTENT, "new", s -> s.progress(p -> t.closing()))),
                new Use("the progress of an upload of a stream", t -> t.storage
                        .container("files")
                        .upload(new ByteArrayInputStream(CONTENT), "new", s -> s.progress(p -> t.closing()))),
                new Use(
                        "the stream of a download",
                        t -> t.storage.container("files").downloadTo("old", t.new ClosingOutput())),
                new Use("the stream of a reactive download", t -> t.storage
                        .reactive()
                        .container("files")
                        .downloadTo("old", t.new ClosingOutput())
                        .block()),
                new Use(
                        "the predicate of a walk",
                        t -> t.folder().walk("", "/", t::closingFilter).forEach(entry -> {})),
                new Use("the predicate of a reactive walk", t -> t.folder()
                        .reactive()
                        .walk("", "/", t::closingFilter)
                        .blockLast()));
    }

    private BlobContainer folder() {
        other.container("files").upload(CONTENT, "folder/new");
        return storage.container("files");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("waiting")
    @DisplayName("QUEUE-5: close() is refused at once in code that an operation waits for, and the operation goes on")
    void refused(Use use) {
        use.call.make(this);

        assertThat(met.join())
                .startsWith("IllegalStateException: code that an operation calls, such as a filter, a stream or a"
                        + " progress listener, cannot wait for the end of its client");
        assertThat(storage.queue("orders").exists()).isTrue();
    }

    static Stream<Use> passing() {
        return Stream.of(
                new Use("the results of a query", t -> {
                    try (Stream<Runner> results = runners(t.storage).query().stream()) {
                        results.forEach(runner -> t.closing());
                    }
                }),
                new Use("the change of a modification", t -> runners(t.storage).modify("2026", "1", runner -> {
                    t.closing();
                    return runner;
                })),
                new Use("a step behind a verb", t -> runners(t.storage)
                        .reactive()
                        .find("2026", "1")
                        .doOnNext(runner -> t.closing())
                        .block()),
                new Use("the callback of a writer", t -> {
                    TableWriter<Runner> writer = runners(t.storage).writer();
                    Submission<WriteResult> write = writer.insert(new Runner("2026", "2", "Mary"));
                    write.whenComplete((result, error) -> t.closing());
                }),
                new Use("the progress of a download", t -> t.storage
                        .container("files")
                        .downloadTo("old", OutputStream.nullOutputStream(), s -> s.progress(p -> t.closing()))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("passing")
    @DisplayName("close() works in code that no operation waits for")
    void works(Use use) {
        use.call.make(this);

        assertThat(met.join()).isEqualTo("returned");
    }

    @Test
    @DisplayName("another client can be closed in code that an operation waits for")
    void anotherClient() {
        poison().forEach(m -> meeting(() -> {
            try (Stowline own = client()) {
                own.queue("orders").send(m.body());
            }
        }));

        assertThat(met.join()).isEqualTo("returned");
    }

    @Test
    @DisplayName("QUEUE-5: content that waits for the end of the client fails its upload at once")
    void asContent() {
        Flux<ByteBuffer> content = Flux.just(ByteBuffer.wrap(CONTENT))
                .concatWith(storage.reactive().close().cast(ByteBuffer.class));
        Mono<?> upload = storage.reactive().container("files").upload(content, "new");

        assertThat(outcome(upload::block))
                .startsWith("IllegalStateException: a part of a source of an operation cannot wait for the end");
        assertThat(storage.container("files").exists("new")).isFalse();
    }

    @Test
    @DisplayName("QUEUE-5: a failure handler is refused the close of its client and the stop of its consumer")
    void failureHandler() {
        CompletableFuture<QueueConsumer> self = new CompletableFuture<>();
        CompletableFuture<String> stop = new CompletableFuture<>();
        orders().send("body");
        try (QueueConsumer consumer = orders().consume(m -> {
                    throw new IllegalArgumentException("bad");
                })
                .onFailure(failure -> {
                    closing();
                    stop.complete(outcome(self.join()::close));
                    return QueueConsumer.FailureAction.POISON;
                })
                .start()) {
            self.complete(consumer);

            assertThat(met.join())
                    .startsWith("IllegalStateException: a handler of a queue consumer cannot wait for the end of its"
                            + " client");
            assertThat(stop.join())
                    .startsWith("IllegalStateException: a handler of the consumer of orders cannot wait for its stop");
        }
    }
}
