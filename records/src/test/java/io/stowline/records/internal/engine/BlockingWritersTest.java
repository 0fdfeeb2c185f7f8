package io.stowline.records.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.ClosedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.records.internal.chunk.MemoryChunks;
import io.stowline.table.BufferFullException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Blocking callers on threads: they wait in a line that only threads show. */
class BlockingWritersTest {

    private final FakeTarget target = new FakeTarget();
    private final List<RecordEngine> engines = new ArrayList<>();

    private RecordEngine engine(int records, Duration submitTimeout) {
        WriterBounds bounds = new WriterBounds(
                "ads/",
                1000,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                records,
                submitTimeout,
                Duration.ofMinutes(2),
                Duration.ofSeconds(1),
                null);
        WriterThreads threads = new WriterThreads(
                Clock.systemUTC(),
                System::nanoTime,
                new Random(3),
                Schedulers.newSingle("records-test", true),
                Schedulers.boundedElastic()::schedule,
                Schedulers.boundedElastic()::schedule);
        RecordEngine engine = new RecordEngine(
                bounds, threads, new MemoryChunks(2000), target, name -> name.session() + name.sequence());
        engines.add(engine);
        return engine;
    }

    @AfterEach
    void close() {
        engines.forEach(engine -> engine.close().join());
    }

    private static void write(RecordEngine engine, String record) {
        engine.write((record + "\n").getBytes(StandardCharsets.UTF_8), true);
    }

    /** Returns a thread that writes a record, and waits for room. */
    private static Thread waiting(RecordEngine engine, String record, CompletableFuture<Void> end) {
        Thread thread = new Thread(() -> {
            try {
                write(engine, record);
                end.complete(null);
            } catch (RuntimeException e) {
                end.completeExceptionally(e);
            }
        });
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING || LockSupport.getBlocker(thread) == null) {
            Thread.onSpinWait();
        }
        return thread;
    }

    @Test
    void allRecordsOfManyThreadsStandOnceAndInOrder() {
        RecordEngine engine = engine(20, Duration.ofMinutes(1));
        List<CompletableFuture<Void>> writers = IntStream.range(0, 8)
                .mapToObj(writer -> CompletableFuture.runAsync(
                        () -> IntStream.range(0, 3000).forEach(i -> write(engine, writer + ":" + i)),
                        task -> new Thread(task).start()))
                .toList();
        writers.forEach(CompletableFuture::join);
        engine.flush().join();
        List<String> records = target.records();
        assertThat(records).hasSize(24_000);
        for (int writer = 0; writer < 8; writer++) {
            String prefix = writer + ":";
            assertThat(records.stream().filter(record -> record.startsWith(prefix)))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 3000).mapToObj(i -> prefix + i).toList());
        }
    }

    @Test
    void anInterruptedWriterIsNotAccepted() {
        target.then(Mono.never());
        RecordEngine engine = engine(1, Duration.ofMinutes(1));
        write(engine, "a");
        CompletableFuture<Void> end = new CompletableFuture<>();
        waiting(engine, "b", end).interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> end.get(20, TimeUnit.SECONDS))
                .withCauseInstanceOf(WaitInterruptedException.class);
        assertThat(engine.progress().accepted()).isEqualTo(1);
        assertThat(engine.isStuck()).isFalse();
    }

    @Test
    void aWriterWaitsUntilItsTimeIsOver() {
        target.then(Mono.never());
        RecordEngine engine = engine(1, Duration.ofMillis(20));
        write(engine, "a");
        assertThatExceptionOfType(BufferFullException.class)
                .isThrownBy(() -> write(engine, "b"))
                .withMessageContaining("1 of 1 records")
                .withMessageContaining("PT0.02S");
    }

    @Test
    void aCloseRefusesThoseWhoWait() {
        Sinks.Empty<Void> delivered = Sinks.empty();
        target.then(delivered.asMono());
        RecordEngine engine = engine(1, Duration.ofMinutes(1));
        write(engine, "a");
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread unused = waiting(engine, "b", end);
        CompletableFuture<Void> closed = engine.close();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> end.get(20, TimeUnit.SECONDS))
                .withCauseInstanceOf(ClosedException.class);
        delivered.tryEmitEmpty();
        closed.join();
        assertThat(target.records()).hasSizeLessThan(2);
    }
}
