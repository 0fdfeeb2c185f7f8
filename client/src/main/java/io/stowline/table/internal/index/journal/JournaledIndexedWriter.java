package io.stowline.table.internal.index.journal;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.error.StorageException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.FlushReport;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedWriter;
import io.stowline.table.internal.operation.AcceptedWrite;
import io.stowline.table.internal.operation.JournaledStream;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableMember;
import io.stowline.table.internal.operation.WriterOperations;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writer with indexes whose operations go through an {@link IndexedLog} into the lanes of an {@link IndexedWriter}. */
public final class JournaledIndexedWriter<T> implements WriterOperations<T> {

    private final IndexedWriter<T> writer;
    private final IndexedLog<T> log;
    private final String table;

    private JournaledIndexedWriter(IndexedWriter<T> writer, IndexedLog<T> log, String table) {
        this.writer = writer;
        this.log = log;
        this.table = table;
    }

    /**
     * Opens a writer with a journal.
     *
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table, or of a writer without index rows
     */
    public static <T> JournaledIndexedWriter<T> open(
            IndexedContext<T> context, UnaryOperator<WriterSettings.Builder> settings, WriterJournal journal) {
        Objects.requireNonNull(journal, "journal");
        WriterSettings given = LaneWriter.built(settings).endless();
        IndexedLog<T> log = new IndexedLog<>(RecordJournal.of(journal.journal()), context, given);
        IndexedWriter<T> writer;
        try {
            writer = IndexedWriter.journaled(context, given, () -> log.pausedBy() != null);
        } catch (RuntimeException refused) {
            log.release();
            throw refused;
        }
        log.start(writer, given.bufferItems());
        return new JournaledIndexedWriter<>(writer, log, context.table());
    }

    @Override
    public <R> WriterOperations<R> in(TableMember<R> member) {
        throw new IllegalArgumentException("the writer of the table " + table
                + " has index rows and a journal, whose records have one type: rows of "
                + member.context().codec().typeName(null) + " take a writer and a journal of their type");
    }

    @Override
    public Submission<WriteResult> submit(TableOperation<T, ?> operation) {
        return new AcceptedWrite(log.submit(operation, writer, writer::submit));
    }

    @Override
    public Submission<WriteResult> offer(TableOperation<T, ?> operation) {
        return new AcceptedWrite(log.submit(operation, writer, writer::offer));
    }

    @Override
    public Mono<WriteResult> write(TableOperation<T, ?> operation) {
        return log.write(operation, writer);
    }

    @Override
    public <C> Flux<ItemResult<C, WriteResult>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return JournaledStream.writeAll(operations, batcher().settings().bufferItems(), this::write);
    }

    @Override
    public Mono<FlushReport> flush() {
        return log.gate().opened().then(writer.flush());
    }

    @Override
    public FlushReport flushAndWait() {
        BlockingAwait.refuseEventLoop();
        BlockingAwait.on(log.gate().opened());
        return writer.flushAndWait();
    }

    @Override
    public Mono<ReplayReport> replayed() {
        return log.replays().report();
    }

    @Override
    public Mono<Void> closeAsync() {
        return Mono.defer(() -> {
            releaseAtTheEnd();
            return writer.closeAsync().doOnTerminate(this::release);
        });
    }

    @Override
    public void close() {
        releaseAtTheEnd();
        try {
            writer.close();
        } finally {
            release();
        }
    }

    /** A close within a callback does not wait, nor does one that is given up; the journal is in use until the end. */
    private void releaseAtTheEnd() {
        batcher().closeAsync().doOnTerminate(this::release).subscribe(nothing -> {}, failures -> {});
    }

    /** Releases the journal before the end is signalled: the next writer may be opened at once. */
    private void release() {
        if (batcher().isClosed()) {
            log.exit().close();
        }
    }

    @Override
    public Optional<StorageException> pausedBy() {
        return Optional.ofNullable(log.pausedBy());
    }

    @Override
    public List<RejectedOperation> rejected() {
        return log.rejected();
    }

    @Override
    public void discardRejected(long id) {
        log.discardRejected(id);
    }

    @Override
    public Batcher<?, ?, WriteResult> batcher() {
        return writer.batcher();
    }

    @Override
    public TableWriter.Stats stats() {
        return writer.stats();
    }
}
