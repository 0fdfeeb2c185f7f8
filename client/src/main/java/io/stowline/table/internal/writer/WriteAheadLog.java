package io.stowline.table.internal.writer;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FailedItem;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.error.StorageException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.journal.internal.store.RejectedRecord;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.table.BufferFullException;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.MarkerRules;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.request.RequestIds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The write-ahead log of a writer, over its journal: an operation goes into its lane when it is on disk, in the order of arrival, and
 * leaves the disk by the {@link JournalExit} when it has its result. Thread-safe.
 */
public final class WriteAheadLog {

    private static final Logger LOG = LoggerFactory.getLogger(WriteAheadLog.class);

    private static final String NOT_ACCEPTED =
            "the thread was interrupted; the item was not accepted, and is taken from the journal again";

    private final RecordJournal journal;
    private final TableService service;
    private final TableOperations operations;
    private final Batcher<LaneKey, QueuedWrite, WriteResult> batcher;
    private final WriteCounters counters;
    private final JournalOrderGate orderGate;
    private final JournalReplayer replays;
    private final DeliveryPause pause = new DeliveryPause();
    private final EntityFences fences;
    private final JournalExit exit;

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
        this.exit = new JournalExit(journal, fences, service.timer(), () -> service.release(this));
        this.orderGate = new JournalOrderGate(service.work());
        journal.bindTo(service.journalOf(operations.table()));
        service.holds(this);
        this.replays = new JournalReplayer(journal, this);
        replays.start(service.work(), batcher.settings().bufferItems(), orderGate::open);
    }

    /**
     * Returns the operations of earlier processes.
     *
     * @return the report, once each of them has its result
     */
    public JournalReplayer replays() {
        return replays;
    }

    /** Ends when all operations of earlier processes are in their lanes. */
    public Mono<Void> opened() {
        return Mono.fromFuture(orderGate.opened(), true);
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
        CompletableFuture<QueuedWrite> written = written(operation);
        QueuedWrite item;
        try {
            item = Objects.requireNonNull(BlockingAwait.on(Mono.fromFuture(written, true), NOT_ACCEPTED));
        } catch (Throwable e) {
            var unused = written.thenCompose(this::forget);
            throw e;
        }
        try {
            awaitTurn();
            orderGate.drain();
            return into.apply(item);
        } catch (Throwable refused) {
            awaitForgotten(forget(item));
            throw refused;
        }
    }

    /**
     * A refused operation has left the disk before its caller is notified, or a crash would send it again. A failure of
     * the disk is logged.
     */
    private static void awaitForgotten(CompletableFuture<Void> forgotten) {
        boolean interrupted = false;
        while (!forgotten.isDone()) {
            try {
                forgotten.get();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException refusedByTheDisk) {
                LOG.warn("an operation that was refused may come back after a crash", refusedByTheDisk);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitTurn() {
        Duration timeout = batcher.settings().submitTimeout();
        if (!orderGate.opened().isDone()) {
            BlockingAwait.on(
                    opened().timeout(timeout, service.timer())
                            .onErrorMap(
                                    TimeoutException.class,
                                    e -> new BufferFullException("no room within " + timeout
                                            + ": the operations of earlier processes come first, "
                                            + journal.outstandingRecords() + " records are in the journal")),
                    NOT_ACCEPTED);
        }
    }

    /**
     * Writes an operation to disk and gives it when it is its turn, without a thread that waits. Cancelling takes it back.
     *
     * @param then what becomes of it
     * @return what became of it
     */
    public <R> Mono<R> write(EncodedOperation operation, Function<QueuedWrite, Mono<R>> then) {
        return Mono.create(sink -> {
            Disposable.Swap running = Disposables.swap();
            sink.onDispose(running);
            Context requested = Callbacks.waiting(Context.of(sink.contextView()));
            orderGate.add(written(operation), (item, error) -> {
                if (item == null) {
                    sink.error(unwrapped(error));
                } else if (running.isDisposed()) {
                    var unused = forget(item);
                } else {
                    running.update(then.apply(item)
                            .onErrorResume(e -> Mono.fromFuture(exit.refused(item, e), true)
                                    .onErrorComplete()
                                    .then(Mono.error(e)))
                            .contextWrite(requested)
                            .subscribe(sink::success, sink::error, sink::success));
                }
            });
        });
    }

    private static Throwable unwrapped(@Nullable Throwable error) {
        return error instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : Objects.requireNonNull(error);
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
    Mono<WriteResult> replay(long id, long opened) {
        JournalRecord record = JournalRecord.of(journal.read(id), operations.encoder());
        ReplayedWrite replay = new ReplayedWrite(record, opened, service.timer());
        QueuedWrite item = item(record.operation(), JournalTicket.of(this, id, replay));
        LaneKey lane = LaneKey.of(operations.table(), record.operation().partitionKey());
        Mono<WriteResult> sent = batcher.write(lane, item).doOnError(e -> {
            var unused = exit.refused(item, e);
            replays.failed(item, e);
        });
        return record.fence() ? sent.then(Mono.empty()) : sent;
    }

    /** Fences stand before an operation on their entity is sent. */
    List<Long> inOrder(long[] ids) {
        return fences.first(ids);
    }

    long now() {
        return service.timer().now(TimeUnit.NANOSECONDS);
    }

    /** Takes an abandoned operation of its caller from the disk. */
    private CompletableFuture<Void> forget(QueuedWrite item) {
        return exit.refused(item, new CancellationException("the operation was not handed over"));
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

    /**
     * Returns why it sends nothing at present.
     *
     * @return the refusal of all operations by the service, or {@code null} if there is none
     */
    public @Nullable StorageException pausedBy() {
        return exit.isClosed() ? null : pause.cause();
    }

    void paused(QueuedWrite item, StorageException why) {
        LOG.warn(
                "the writer of {} is paused and probes by itself; {} operations wait in {}: {}",
                operations.table(),
                journal.outstandingRecords(),
                journal,
                why.getMessage());
        Consumer<? super FailedItem> listener = batcher.settings().onFailure();
        if (listener != null) {
            Executor own = batcher.settings().callbacks();
            Callbacks callbacks = own == null ? service.delivery() : Callbacks.on(own);
            callbacks
                    .deliver(Mono.just(new FailedItem(item, why)))
                    .subscribe(listener, e -> LOG.warn("a listener has failed", e));
        }
    }

    void resumed(boolean was) {
        if (was) {
            LOG.info(
                    "the writer of {} goes on; {} operations are in {}",
                    operations.table(),
                    journal.outstandingRecords(),
                    journal);
        }
    }

    /**
     * Returns the operations that were refused for good, of this process and of earlier ones.
     *
     * @return the operations, the oldest first
     */
    public List<RejectedOperation> rejected() {
        return journal.rejected().stream().map(this::rejected).toList();
    }

    private RejectedOperation rejected(RejectedRecord each) {
        JournalRecord record = JournalRecord.of(each.record(), operations.encoder());
        EncodedOperation operation = record.operation();
        return new RejectedOperation(
                each.id(),
                operation.verb().label(),
                operation.partitionKey(),
                operation.rowKey(),
                operation.ifMatch(),
                new String(operation.content(), StandardCharsets.UTF_8),
                record.written(),
                each.at(),
                each.reason());
    }

    /** Removes an operation from those that were refused for good. */
    public void discardRejected(long id) {
        journal.discardRejected(id);
    }

    /** Returns the exit of the journal. */
    JournalExit exit() {
        return exit;
    }

    /**
     * Gives the journal back, once, unless attempts of operations that are left in it may still go out. A second caller waits for the first,
     * so that each caller of close may open the next writer at once.
     */
    public void close() {
        exit.close();
    }

    /** Gives it back in any case: the client has ended its requests. */
    public void release() {
        exit.release();
    }
}
