package io.stowline.records.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.BadRequestException;
import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.UnreachableException;
import io.stowline.records.FailedRecords;
import io.stowline.records.FailedRecordsException;
import io.stowline.records.internal.blob.ChunkRefusedException;
import io.stowline.records.internal.chunk.MemoryChunks;
import io.stowline.table.BufferFullException;
import io.stowline.table.FlushReport;
import io.stowline.table.LeftoverException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class RecordEngineTest {

    private final FakeTarget target = new FakeTarget();
    private final TestWriter writer = new TestWriter(target, new MemoryChunks(100));

    @Test
    void recordsStandInOneBlobInTheirOrder() {
        writer.write("a");
        writer.write("b");
        CompletableFuture<FlushReport> flushed = writer.engine().flush();
        writer.runAll();

        assertThat(flushed).isCompletedWithValue(new FlushReport(2, 0));
        assertThat(target.blobs()).containsExactly("a\nb\n");
        assertThat(writer.engine().progress())
                .isEqualTo(new io.stowline.records.RecordWriter.RecordProgress(2, 2, 0, 0, 0, 1, 4));
    }

    @Test
    void aFullChunkGoesAndAnotherIntervalBeginsAnotherChunk() {
        for (int i = 0; i < 6; i++) {
            writer.write("0123456");
        }
        writer.runAll();
        assertThat(target.blobs()).containsExactly("0123456\n".repeat(5));

        writer.advance(Duration.ofMinutes(1).plusMillis(100));
        assertThat(target.blobs()).hasSize(2);
    }

    @Test
    void aFullBufferRefusesAndHasItsChunkDelivered() {
        Sinks.Empty<Void> end = Sinks.empty();
        target.then(end.asMono());
        for (int i = 0; i < 12; i++) {
            writer.write("0123456");
        }
        assertThatThrownBy(() -> writer.write("0123456"))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("96 of 100 bytes");
        writer.write("01");
        writer.runAll();
        end.tryEmitEmpty();
        writer.runAll();
        writer.write("0123456");
        assertThat(writer.engine().progress().buffered()).isEqualTo(4);
    }

    @Test
    void aBufferWithoutANumberOfRecordsIsFullByItsBytes() {
        TestWriter bytes = new TestWriter(target, new MemoryChunks(100), Long.MAX_VALUE);
        target.then(Mono.never());
        for (int i = 0; i < 50; i++) {
            bytes.write("0");
        }
        assertThatThrownBy(() -> bytes.write("0"))
                .isInstanceOf(BufferFullException.class)
                .hasMessageContaining("50 records and 100 of 100 bytes");
    }

    @Test
    void aWaiterSealsTheOpenChunk() {
        TestWriter small = new TestWriter(target, new MemoryChunks(100), 2);
        small.write("a");
        small.write("b");
        List<String> accepted = small.writeLater("c");
        assertThat(accepted).isEmpty();
        small.runAll();
        assertThat(accepted).containsExactly("c");
        List<String> next = small.writeLater("d");
        List<String> last = small.writeLater("e");
        small.runAll();
        assertThat(next).containsExactly("d");
        assertThat(last).containsExactly("e");
        assertThat(target.records()).startsWith("a", "b");
    }

    @Test
    void aRefusedChunkFailsAndTheNextOneGoes() {
        target.thenFail(new ChunkRefusedException("another blob is there", new IllegalStateException()));
        writer.write("a");
        CompletableFuture<FlushReport> first = writer.engine().flush();
        writer.write("b");
        CompletableFuture<FlushReport> second = writer.engine().flush();
        writer.runAll();

        assertThat(first).isCompletedWithValue(new FlushReport(0, 1));
        assertThat(second).isCompletedWithValue(new FlushReport(1, 1));
        List<FailedRecords> failures = writer.engine().takeFailures();
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).content()).asString().isEqualTo("a\n");
        assertThat(target.records()).containsExactly("b");
    }

    @Test
    void anOutageIsTriedAgain() {
        target.thenFail(new IllegalStateException("no route")).thenFail(new IllegalStateException("no route"));
        writer.write("a");
        CompletableFuture<FlushReport> unused = writer.engine().flush();
        writer.runAll();
        assertThat(target.records()).isEmpty();
        writer.advance(Duration.ofSeconds(10));
        assertThat(target.records()).containsExactly("a");
    }

    @Test
    void aChunkInMemoryFailsAfterItsTime() {
        for (int i = 0; i < 100; i++) {
            target.thenFail(new IllegalStateException("no route"));
        }
        writer.write("a");
        CompletableFuture<FlushReport> flushed = writer.engine().flush();
        writer.advance(Duration.ofMinutes(1));
        assertThat(flushed).isNotDone();
        writer.advance(Duration.ofMinutes(1).plusSeconds(1));
        assertThat(flushed).isCompletedWithValue(new FlushReport(0, 1));
    }

    @Test
    void aCloseDeliversAndRefuses() {
        writer.write("a");
        CompletableFuture<Void> closed = writer.engine().close();
        writer.runAll();
        assertThat(closed).isCompleted();
        assertThat(target.records()).containsExactly("a");
        assertThat(target.isClosed()).isTrue();
        assertThatThrownBy(() -> writer.write("b")).isInstanceOf(ClosedException.class);
    }

    @Test
    void aCloseEndsAtItsTimeout() {
        target.then(Mono.never());
        writer.write("a");
        CompletableFuture<Void> closed = writer.engine().close();
        writer.advance(Duration.ofSeconds(119));
        assertThat(closed).isNotDone();
        writer.advance(Duration.ofSeconds(2));
        assertThat(closed).isCompleted();
        List<FailedRecords> left = writer.engine().takeFailures();
        assertThat(new FailedRecordsException(left)).hasMessageContaining("1 records in 1 chunks");
    }

    @Test
    void aRefusalThatNoTryChangesIsShown() {
        target.thenFail(new BadRequestException(facts(400, "InvalidInput", 0), null));
        writer.write("a");
        CompletableFuture<FlushReport> unused = writer.engine().flush();
        writer.runAll();
        assertThat(writer.engine().pausedBy()).isInstanceOf(BadRequestException.class);
        writer.advance(Duration.ofSeconds(10));
        assertThat(writer.engine().pausedBy()).isNull();
        assertThat(target.records()).containsExactly("a");
    }

    @Test
    void overdueChunksFailOneAfterTheOther() {
        TestWriter small = new TestWriter(target, new MemoryChunks(1000));
        for (int i = 0; i < 1000; i++) {
            target.thenFail(new UnreachableException(facts(0, null, 0), null));
        }
        for (int i = 0; i < 100; i++) {
            small.write("0123456");
        }
        CompletableFuture<FlushReport> flushed = small.engine().flush();
        small.advance(Duration.ofMinutes(2).plusSeconds(1));
        assertThat(flushed).isCompletedWithValue(new FlushReport(0, 100));
    }

    @Test
    void aCloseNamesTheRefusalOfWhatIsLeft() {
        for (int i = 0; i < 100; i++) {
            target.thenFail(new NotFoundException(facts(404, "ContainerNotFound", 0), null));
        }
        for (int i = 0; i < 6; i++) {
            writer.write("0123456");
        }
        List<FailedRecords> left = closed();
        assertThat(left.get(0).cause()).isInstanceOf(NotFoundException.class);
        assertThat(left.get(1).cause())
                .isInstanceOfSatisfying(
                        LeftoverException.class, late -> assertThat(late.sent()).isFalse())
                .hasCauseInstanceOf(NotFoundException.class);
    }

    @Test
    void aCloseDoesNotDenyAnEarlierEffect() {
        target.thenFail(new UnreachableException(facts(0, null, 1), null));
        for (int i = 0; i < 100; i++) {
            target.thenFail(new NotFoundException(facts(404, "ContainerNotFound", 0), null));
        }
        writer.write("a");
        assertThat(closed().get(0).cause())
                .isInstanceOfSatisfying(
                        LeftoverException.class, late -> assertThat(late.sent()).isTrue())
                .hasCauseInstanceOf(NotFoundException.class);
    }

    private List<FailedRecords> closed() {
        writer.runAll();
        CompletableFuture<Void> closed = writer.engine().close();
        writer.advance(Duration.ofSeconds(119));
        assertThat(closed).isNotDone();
        writer.advance(Duration.ofSeconds(7));
        assertThat(closed).isCompleted();
        return writer.engine().takeFailures();
    }

    private static FailureDetails facts(int status, @Nullable String code, int unanswered) {
        return new FailureDetails(
                "upload",
                "ads/blob",
                status,
                code,
                "no",
                1,
                unanswered,
                Duration.ZERO,
                null,
                "client",
                "request",
                "a retry cannot help");
    }

    @Test
    void theLogDoesNotContradictItself() {
        BadRequestException refusal = new BadRequestException(facts(400, "InvalidInput", 0), null);
        assertThat(ChunkPause.message(refusal))
                .contains("400 InvalidInput", "ads/blob", "request")
                .doesNotContain("cannot help");
        ChunkPause pause = new ChunkPause("ads/", new Random(1));
        ConflictException conflict = new ConflictException(facts(409, "LeaseAlreadyPresent", 0), null);
        assertThat(pause.failed(conflict, "ads/blob")).isPositive();
        assertThat(pause.cause()).isNull();
        assertThat(pause.failed(conflict, "ads/blob")).isPositive();
        assertThat(pause.cause()).isSameAs(conflict);
        pause.responded();
        assertThat(pause.cause()).isNull();
    }

    @Test
    void aClosedClientEndsTheWriter() {
        target.thenFail(new ClosedException("the client is closed"));
        writer.write("a");
        CompletableFuture<FlushReport> flushed = writer.engine().flush();
        writer.runAll();
        assertThat(flushed).isCompletedWithValue(new FlushReport(0, 1));
        assertThatThrownBy(() -> writer.write("b"))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("close writers before their client");
        CompletableFuture<Void> closed = writer.engine().close();
        writer.runAll();
        assertThat(closed).isCompleted();
    }
}
