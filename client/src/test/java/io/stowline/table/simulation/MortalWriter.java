package io.stowline.table.simulation;

import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Mapping;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Submission;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** One process with a writer and its journal, until it dies: from then on it sends nothing, hears nothing and tells nothing. */
final class MortalWriter {

    private final Restarts play;
    private final RecordJournal journal;
    private final TableService tables;
    private final Gate gate;
    private final TableWriter<SimulatedItem> writer;
    private final Sinks.Empty<Void> death = Sinks.empty();
    private final Set<SimulatedOperation> ops = new HashSet<>();
    private boolean dead;

    MortalWriter(Restarts play, RecordJournal journal, UnaryOperator<WriterSettings.Builder> settings) {
        this.play = play;
        this.journal = journal;
        ClientRuntime runtime = SimulatedConnection.open(
                new SimulatedConnection.Machine(
                        play.time, Bench.START, new Random(play.random.nextLong()), Runnable::run, play.time),
                play.scenario.client(),
                true,
                this::exchange);
        this.tables = new TableService(Bench.account(), runtime, play.scenario.retry(), ScanPolicy.ALLOW);
        this.gate = runtime.to(Service.TABLE).gate();
        this.writer = DefaultTable.of(tables, "notes", SimulatedItem.class, Mapping.standard())
                .writer(WriterJournal.of(journal), settings);
    }

    private Mono<HttpResponse> exchange(HttpRequest request, SimulatedConnection.Line line) {
        if (dead) {
            return Mono.never();
        }
        return play.service.of(request, line).takeUntilOther(death.asMono()).switchIfEmpty(Mono.never());
    }

    boolean owns(SimulatedOperation op) {
        return ops.contains(op);
    }

    Submission<WriteResult> offer(SimulatedOperation op) {
        SimulatedItem item = SimulatedItem.of(op.wish.key(), op.id, op.wish.text(), 0);
        TableWriter<SimulatedItem> face = writer.failingFast();
        Submission<WriteResult> submission =
                switch (op.wish.verb()) {
                    case INSERT -> face.insert(item);
                    case INSERT_OR_MERGE -> face.insertOrMerge(item);
                    default -> face.insertOrReplace(item);
                };
        ops.add(op);
        return submission;
    }

    void reported(SimulatedOperation op, @Nullable WriteResult written, @Nullable Throwable error) {
        if (!dead) {
            play.ended(op, written, error);
        }
    }

    /** Lets the journal's thread do all that it has to do; false when nothing came of it. */
    boolean settle() {
        journal.flush();
        journal.rejected();
        return play.time.goOn();
    }

    /** Leaves a copy of what is on the disk at this moment, and nothing else. */
    void crash(Path next) {
        play.trace.note("crash, " + writer.bufferedItems() + " operations without an end");
        copy(next);
        end();
    }

    private void copy(Path next) {
        try (Stream<Path> files = Files.list(journal.folder())) {
            Files.createDirectory(next);
            for (Path file : files.toList()) {
                Files.copy(file, next.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Clears its remains away, without a word to the table. */
    void end() {
        dead = true;
        death.tryEmitEmpty();
        Disposable unused = tables.close(Duration.ZERO).subscribe(nothing -> {}, error -> {});
        journal.close();
    }

    /**
     * Checks at rest that nothing is reserved, nothing is left in the journal, and the next operation is taken at once.
     */
    void checkIdle() {
        Trace trace = play.trace;
        trace.expect(writer.bufferedItems() == 0, () -> "BATCH-7: " + writer.bufferedItems() + " items at rest");
        trace.expect(writer.bufferedBytes() == 0, () -> "BATCH-7: " + writer.bufferedBytes() + " bytes at rest");
        trace.expect(writer.undeliveredItems() == 0, "BATCH-7: undelivered results at rest");
        trace.expect(gate.inUse() == 0, () -> "PERMIT-4: " + gate.inUse() + " permits in use at rest");
        trace.expect(
                tables.lanes().laneCount() == 0,
                () -> "BATCH-6: " + tables.lanes().laneCount() + " lanes at rest");
        trace.expect(
                tables.lanes().reservedEntities() == 0,
                () -> "BATCH-4: " + tables.lanes().reservedEntities() + " entities reserved at rest");
        trace.expect(
                journal.outstandingRecords() == 0,
                () -> "BATCH-15: " + journal.outstandingRecords() + " records in the journal at rest");
        trace.expect(journal.rejectedRecords() == 0, () -> "BATCH-15: rejected " + writer.rejected());
        trace.expect(writer.reactive().awaitReplay().toFuture().isDone(), "BATCH-15: the replay has no end");
    }
}
