package io.stowline.table.internal.writer;

import io.stowline.batching.BufferFullException;
import io.stowline.batching.LeftoverException;
import io.stowline.batching.Submission;
import io.stowline.batching.UncollectedFailuresException;
import io.stowline.batching.internal.batch.Batcher;
import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.error.StorageException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteMarkers;
import io.stowline.table.EntityKey;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.MarkerRules;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.writer.JournalReplayer.RecordFate;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.request.RequestIds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
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
 * The way of a writer's operations through its journal: an operation goes into its lane when it is on disk, and leaves the disk when it
 * has its result. The next operation on its entity is sent only when it has left the disk, so that no replay undoes it. Thread-safe.
 */
public final class JournaledWriter {

    private static final Logger LOG = LoggerFactory.getLogger(JournaledWriter.class);

    private static final String NOT_ACCEPTED =
            "the thread was interrupted; the item was not accepted, and is taken from the journal again";

    private final RecordJournal journal;
    private final TableService service;
    private final TableOperations client;
    private final Batcher<LaneKey, QueuedWrite, EntityWriteResult> batcher;
    private final WriteCounters counters;
    private final JournalOrderGate orderGate;
    private final JournalReplayer replays;
    private final Map<EntityKey, CompletableFuture<Void>> leaving = new ConcurrentHashMap<>();
    private final DeliveryPause pause = new DeliveryPause();
    private final EntityFences fences;
    private volatile boolean leftInFlight;
    private volatile boolean closed;
    private boolean released;

    /**
     * Begins to send what earlier processes have left in the journal.
     *
     * @param journal the journal, which has no other user
     * @param service the service of the table
     * @param client the table
     * @param batcher what the operations go into
     * @param counters what counts for the writer
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table
     */
    public JournaledWriter(
            RecordJournal journal,
            TableService service,
            TableOperations client,
            Batcher<LaneKey, QueuedWrite, EntityWriteResult> batcher,
            WriteCounters counters) {
        this.journal = journal;
        this.service = service;
        this.client = client;
        this.batcher = batcher;
        this.counters = counters;
        this.fences = new EntityFences(journal, service.timer());
        this.orderGate = new JournalOrderGate(service.work());
        journal.bindTo(service.journalOf(client.table()));
        service.holds(this);
        this.replays = new JournalReplayer(journal, this);
        replays.start(service.work(), batcher.settings().bufferItems(), orderGate::open);
    }

    /**
     * What became of the operations of earlier processes.
     *
     * @return the report, once each of them has its result
     */
    public JournalReplayer replays() {
        return replays;
    }

    /**
     * Ends when all operations of earlier processes are in their lanes.
     *
     * @return the end of it
     */
    public Mono<Void> opened() {
        return Mono.fromFuture(orderGate.opened(), true);
    }

    /**
     * Writes an operation to disk and hands it over, waiting for both.
     *
     * @param into hands it to the batcher
     * @return the accepted operation
     */
    public Submission<EntityWriteResult> submit(
            EncodedOperation operation, Function<QueuedWrite, Submission<EntityWriteResult>> into) {
        BlockingAwait.refuseEventLoop();
        CompletableFuture<QueuedWrite> written = written(operation);
        QueuedWrite item;
        try {
            item = Objects.requireNonNull(BlockingAwait.on(Mono.fromFuture(written, true), NOT_ACCEPTED));
        } catch (RuntimeException | Error e) {
            var unused = written.thenCompose(this::forget);
            throw e;
        }
        try {
            awaitTurn();
            orderGate.drain();
            return into.apply(item);
        } catch (RuntimeException | Error refused) {
            awaitForgotten(forget(item));
            throw refused;
        }
    }

    /** What is refused has left the disk before the caller is told, or a crash would bring it back. A disk that refuses is logged. */
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
     * @param <R> the type of that
     * @return what became of it
     */
    public <R> Mono<R> write(EncodedOperation operation, Function<QueuedWrite, Mono<R>> then) {
        return Mono.create(sink -> {
            Disposable.Swap running = Disposables.swap();
            sink.onDispose(running);
            Context asked = Callbacks.waiting(Context.of(sink.contextView()));
            orderGate.add(written(operation), (item, error) -> {
                if (item == null) {
                    sink.error(unwrapped(error));
                } else if (running.isDisposed()) {
                    var unused = forget(item);
                } else {
                    running.update(then.apply(item)
                            .onErrorResume(e -> Mono.fromFuture(refused(item, e), true)
                                    .onErrorComplete()
                                    .then(Mono.error(e)))
                            .contextWrite(asked)
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

    /** How long an attempt may be carried out after its last byte. */
    Duration allowed() {
        return client.retry().serverTimeout().plus(client.retry().grace());
    }

    private Instant wallClock() {
        return Instant.ofEpochMilli(service.timer().now(TimeUnit.MILLISECONDS));
    }

    private QueuedWrite item(EncodedOperation operation, JournalTicket ticket) {
        return new QueuedWrite(client, operation, counters, null, ticket);
    }

    /** Sends what an earlier process has left; a fence is put up, and has no result. */
    Mono<EntityWriteResult> replay(long id, long opened) {
        JournalRecord record = JournalRecord.of(journal.read(id), client.encoder());
        ReplayedWrite replay = new ReplayedWrite(record, opened, service.timer());
        QueuedWrite item = item(record.operation(), JournalTicket.of(this, id, replay));
        LaneKey lane = service.lane(client.table(), record.operation().partitionKey());
        Mono<EntityWriteResult> sent = batcher.write(lane, item).doOnError(e -> {
            var unused = refused(item, e);
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

    /** Takes an operation from the disk that its caller has given up. */
    private CompletableFuture<Void> forget(QueuedWrite item) {
        return refused(item, new CancellationException("the operation was not handed over"));
    }

    /** Takes an operation from the disk that was refused, at once; nothing if it has had its end before. */
    private CompletableFuture<Void> refused(QueuedWrite item, Throwable failure) {
        CompletableFuture<Void> left = leave(item, Objects.requireNonNull(item.ticket()), failure);
        if (!left.isDone()) {
            journal.flush();
        }
        return left;
    }

    /** Called under the engine's lock. */
    void ended(QueuedWrite item, JournalTicket ticket, @Nullable Throwable failure) {
        if (failure instanceof LeftoverException leftover && leftover.sent()) {
            leftInFlight = true;
        }
        var unused = leave(item, ticket, failure);
        if (failure instanceof CancellationException) {
            journal.flush();
        }
    }

    private CompletableFuture<Void> leave(QueuedWrite item, JournalTicket ticket, @Nullable Throwable failure) {
        RecordFate fate = RecordFate.of(ticket, failure);
        if (fate == RecordFate.STAYS) {
            return CompletableFuture.completedFuture(null);
        }
        if (!closed) {
            fences.put(item.operation(), ticket.held());
        }
        List<CompletableFuture<Void>> all = new ArrayList<>(1);
        for (long id : ticket.ids()) {
            CompletableFuture<Void> left = fate == RecordFate.REJECTED && failure != null
                    ? journal.reject(id, RecordFate.reason(failure))
                    : journal.forget(id);
            all.add(left);
            if (!left.isDone()) {
                EntityKey entity = key(item);
                leaving.put(entity, left);
                var unused = left.whenComplete((nothing, error) -> leaving.remove(entity, left));
            }
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    /** What order is kept for. */
    private static EntityKey key(QueuedWrite item) {
        return new EntityKey(item.operation().partitionKey(), item.operation().rowKey());
    }

    /** What a batch must wait for: that nothing is on disk any more that came before on its entities. */
    static @Nullable Mono<Void> before(List<QueuedWrite> items) {
        List<CompletableFuture<Void>> all = null;
        JournaledWriter journaled = null;
        for (QueuedWrite item : items) {
            JournalTicket ticket = item.ticket();
            CompletableFuture<Void> earlier =
                    ticket == null ? null : ticket.journaled().leaving.get(key(item));
            if (earlier != null && ticket != null) {
                all = all == null ? new ArrayList<>() : all;
                all.add(earlier);
                journaled = ticket.journaled();
            }
        }
        if (all == null || journaled == null) {
            return null;
        }
        journaled.journal.flush();
        // Where the disk refuses, the operation goes on all the same: only after a crash now would the one before it
        // come once more.
        // The journal's thread sends nothing: all that is accepted waits for it.
        return Mono.fromFuture(CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])), true)
                .onErrorComplete()
                .publishOn(journaled.service.timer());
    }

    /** With what an operation may share a batch: with others of this writer, of which all are in doubt from the start or none. */
    Object company(boolean inherited) {
        return inherited ? replays : this;
    }

    DeliveryPause pause() {
        return pause;
    }

    /**
     * Why nothing is sent at present.
     *
     * @return what the service refuses all operations with, or {@code null} if it does not
     */
    public @Nullable StorageException pausedBy() {
        return closed ? null : pause.cause();
    }

    void paused(QueuedWrite item, StorageException why) {
        LOG.warn(
                "the writer of {} is paused and probes by itself; {} operations wait in {}: {}",
                client.table(),
                journal.outstandingRecords(),
                journal,
                why.getMessage());
        Consumer<? super UncollectedFailuresException.Failure> listener =
                batcher.settings().onFailure();
        if (listener != null) {
            Executor own = batcher.settings().callbacks();
            Callbacks callbacks = own == null ? service.delivery() : Callbacks.on(own);
            callbacks
                    .deliver(Mono.just(new UncollectedFailuresException.Failure(item, why)))
                    .subscribe(listener, e -> LOG.warn("a listener has failed", e));
        }
    }

    void resumed(boolean was) {
        if (was) {
            LOG.info(
                    "the writer of {} goes on; {} operations are in {}",
                    client.table(),
                    journal.outstandingRecords(),
                    journal);
        }
    }

    /**
     * The operations that were refused for good, of this process and of earlier ones.
     *
     * @return the list of them
     */
    public RejectedOperations rejected() {
        return new RejectedOperations(journal, client.encoder());
    }

    /**
     * Gives the journal back, once, unless attempts of operations that are left in it may still go out. A second caller waits for the first,
     * so that each caller of close may open the next writer at once.
     */
    public synchronized void close() {
        if (!closed) {
            closed = true;
            fences.leave();
            int open = journal.outstandingRecords();
            if (open > 0) {
                LOG.warn("{} operations stay in {} for the next writer", open, journal);
            }
            if (!leftInFlight) {
                giveBack();
            }
        }
    }

    /** Gives it back in any case: the client has ended its requests. */
    public synchronized void release() {
        close();
        giveBack();
    }

    private void giveBack() {
        if (!released) {
            released = true;
            journal.release();
            service.letsGo(this);
        }
    }
}
