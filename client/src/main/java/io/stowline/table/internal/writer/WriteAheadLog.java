package io.stowline.table.internal.writer;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.error.StorageException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.MarkerRules;
import io.stowline.table.internal.write.OperationLog;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.request.RequestIds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The write-ahead log of a writer, over its journal: an operation goes into its lane when it is on disk, in the order of arrival, and
 * leaves the disk by the {@link JournalExit} when it has its result. Thread-safe.
 */
public final class WriteAheadLog implements OperationLog {

    private final RecordJournal journal;
    private final TableService service;
    private final TableOperations operations;
    private final Batcher<LaneKey, QueuedWrite, WriteResult> batcher;
    private final WriteCounters counters;
    private final JournalOrderGate<QueuedWrite> orderGate;
    private final JournalReplayer replays;
    private final DeliveryPause pause;
    private final EntityFences fences;
    private final JournalExit exit;
    private final Runnable release = this::release;
    private final long opened;

    /**
     * Begins to send what earlier processes have left in the journal.
     *
     * @param journal the journal, which has no other user
     * @param batcher what the operations go into
     * @param counters what counts for the writer
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table
     */
    public WriteAheadLog(
            RecordJournal journal,
            TableService service,
            TableOperations operations,
            Batcher<LaneKey, QueuedWrite, WriteResult> batcher,
            WriteCounters counters) {
        this.journal = journal;
        this.service = service;
        this.operations = operations;
        this.batcher = batcher;
        this.counters = counters;
        this.fences = new EntityFences(journal, service.timer());
        this.exit = new JournalExit(journal, fences, service.timer(), () -> service.released(release));
        this.pause = new DeliveryPause(journal, operations.table(), batcher.settings(), service);
        this.orderGate = new JournalOrderGate<>(
                journal, service, batcher.settings().submitTimeout(), (item, error) -> exit.refused(item, error));
        journal.bindTo(service.journalOf(operations.table()));
        service.holds(release);
        this.opened = service.timer().now(TimeUnit.NANOSECONDS);
        this.replays = new JournalReplayer(journal);
        replays.start(service.work(), batcher.settings().bufferItems(), fences::first, this::replay, orderGate::open);
    }

    @Override
    public Mono<ReplayReport> replayed() {
        return replays.report();
    }

    @Override
    public Mono<Void> opened() {
        return orderGate.opened();
    }

    /**
     * Writes an operation to disk and hands it over, waiting for both.
     *
     * @param into hands it to the batcher
     * @return the accepted operation
     */
    public PendingItem<WriteResult> submit(
            EncodedOperation operation, Function<QueuedWrite, PendingItem<WriteResult>> into) {
        BlockingAwait.refuseEventLoop();
        return orderGate.submit(written(operation), into);
    }

    /**
     * Writes an operation to disk and gives it when it is its turn, without a thread that waits. Cancelling takes it back.
     *
     * @param then what becomes of it
     * @return what became of it
     */
    public <R> Mono<R> write(EncodedOperation operation, Function<QueuedWrite, Mono<R>> then) {
        return orderGate.write(() -> written(operation), then);
    }

    private CompletableFuture<QueuedWrite> written(EncodedOperation operation) {
        EncodedOperation marked =
                MarkerRules.leaves(operation, WriteMarkers.ALL) ? operation.marked(RequestIds.next()) : operation;
        Instant now = wallClock();
        return journal.append(JournalRecord.of(marked, now, allowed()).bytes())
                .thenApply(id -> item(marked, JournalTicket.of(this, id, null)));
    }

    /** Returns the time for which an attempt may be carried out after its last byte. */
    Duration allowed() {
        return operations.retry().serverTimeout().plus(operations.retry().grace());
    }

    private Instant wallClock() {
        return Instant.ofEpochMilli(service.timer().now(TimeUnit.MILLISECONDS));
    }

    private QueuedWrite item(EncodedOperation operation, JournalTicket ticket) {
        return new QueuedWrite(operations, operation, List.of(), counters, null, ticket);
    }

    /** Sends what an earlier process has left; a fence is put up, and has no result. */
    private Mono<WriteResult> replay(long id) {
        JournalRecord record = JournalRecord.of(journal.read(id), operations.encoder());
        ReplayedWrite replay = new ReplayedWrite(record, opened, service.timer());
        QueuedWrite item = item(record.operation(), JournalTicket.of(this, id, replay));
        LaneKey lane = LaneKey.of(operations.table(), record.operation().partitionKey());
        Mono<WriteResult> sent = batcher.write(lane, item).doOnError(e -> {
            var unused = exit.refused(item, e);
            replays.failed(e);
        });
        return record.fence() ? sent.then(Mono.empty()) : sent;
    }

    /**
     * Returns the key of the operations that may share its batch: those of this writer, all or none of which were
     * unresolved from the start.
     */
    Object company(boolean inherited) {
        return inherited ? replays : this;
    }

    DeliveryPause pause() {
        return pause;
    }

    @Override
    public @Nullable StorageException pausedBy() {
        return exit.isClosed() ? null : pause.cause();
    }

    @Override
    public List<RejectedOperation> rejected() {
        return journal.rejected().stream()
                .map(each -> JournalRecord.rejected(each, operations.encoder()))
                .toList();
    }

    @Override
    public void discardRejected(long id) {
        journal.discardRejected(id);
    }

    /** Returns the exit of the journal. */
    JournalExit exit() {
        return exit;
    }

    @Override
    public void close() {
        exit.close();
    }

    /** Gives it back in any case: the client has ended its requests. */
    public void release() {
        exit.release();
    }
}
