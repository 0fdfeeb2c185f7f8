package io.stowline.table.internal.operation;

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
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.internal.writer.WriteAheadLog;
import io.stowline.table.internal.writer.WriteCounters;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writer whose operations go through a write-ahead log into the lanes of a {@link LaneWriter}. */
public final class JournaledWriter<T> implements WriterOperations<T> {

    private final LaneWriter<T> lanes;
    private final WriteAheadLog log;

    private JournaledWriter(LaneWriter<T> lanes, WriteAheadLog log) {
        this.lanes = lanes;
        this.log = log;
    }

    /**
     * Opens a writer with a journal.
     *
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table
     */
    public static <T> JournaledWriter<T> open(
            TableContext<T> context, UnaryOperator<WriterSettings.Builder> settings, WriterJournal journal) {
        Objects.requireNonNull(journal, "journal");
        WriterSettings given = LaneWriter.built(settings);
        TableContext<T> within = LaneWriter.within(context, given);
        TableService service = context.service();
        Batcher<LaneKey, QueuedWrite, WriteResult> batcher = service.lanes().batcher(new LaneSettings(given.endless()));
        WriteCounters counters = new WriteCounters();
        WriteAheadLog log =
                new WriteAheadLog(RecordJournal.of(journal.journal()), service, within.operations(), batcher, counters);
        return new JournaledWriter<>(
                new LaneWriter<>(within, batcher, counters, LaneWriter.terms(context, given), log), log);
    }

    @Override
    public <R> JournaledWriter<R> in(TableMember<R> member) {
        return new JournaledWriter<>(lanes.in(member), log);
    }

    @Override
    public Submission<WriteResult> submit(TableOperation<T, ?> given) {
        return new AcceptedWrite(log.submit(lanes.encode(given), lanes::submit));
    }

    @Override
    public Submission<WriteResult> offer(TableOperation<T, ?> given) {
        return new AcceptedWrite(log.submit(lanes.encode(given), lanes::offer));
    }

    @Override
    public Mono<WriteResult> write(TableOperation<T, ?> given) {
        return WriterOperations.encoded(() -> lanes.encode(given))
                .flatMap(operation -> log.write(operation, lanes::write));
    }

    @Override
    public <C> Flux<ItemResult<C, WriteResult>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return JournaledStream.writeAll(operations, lanes.batcher().settings().bufferItems(), this::write);
    }

    @Override
    public Mono<FlushReport> flush() {
        return log.opened().then(lanes.flush());
    }

    @Override
    public FlushReport flushAndWait() {
        BlockingAwait.refuseEventLoop();
        BlockingAwait.on(log.opened());
        return lanes.flushAndWait();
    }

    @Override
    public Mono<ReplayReport> replayed() {
        return log.replays().report();
    }

    @Override
    public Mono<Void> closeAsync() {
        return Mono.defer(() -> {
            releaseAtTheEnd();
            return lanes.closeAsync().doOnTerminate(this::release);
        });
    }

    @Override
    public void close() {
        releaseAtTheEnd();
        try {
            lanes.close();
        } finally {
            release();
        }
    }

    /** A close within a callback does not wait, nor does one that is given up; the journal is in use until the end. */
    private void releaseAtTheEnd() {
        lanes.batcher().closeAsync().doOnTerminate(this::release).subscribe(nothing -> {}, failures -> {});
    }

    /** Releases the journal before the end is signalled: the next writer may be opened at once. */
    private void release() {
        if (lanes.batcher().isClosed()) {
            log.close();
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
    public Batcher<LaneKey, QueuedWrite, WriteResult> batcher() {
        return lanes.batcher();
    }

    @Override
    public TableWriter.Stats stats() {
        return lanes.stats();
    }
}
