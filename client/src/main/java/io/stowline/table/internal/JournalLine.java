package io.stowline.table.internal;

import io.stowline.batching.Batcher;
import io.stowline.batching.BufferFullException;
import io.stowline.batching.LeftoverException;
import io.stowline.batching.PredecessorFailedException;
import io.stowline.batching.PredecessorUnknownException;
import io.stowline.batching.Submission;
import io.stowline.error.StorageException;
import io.stowline.journal.Journal;
import io.stowline.outcome.Marking;
import io.stowline.table.Written;
import io.stowline.transport.internal.Await;
import io.stowline.transport.internal.RequestIds;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * The way of a writer's operations through its journal: an operation goes into its lane when it is on disk, and leaves the disk when it
 * has its result. The next operation on its entity is sent only when it has left the disk, so that no replay undoes it. Thread-safe.
 */
public final class JournalLine {

    private final Journal journal;
    private final TableService service;
    private final TableClient client;
    private final Batcher<LaneKey, LaneItem, Written> batcher;
    private final WriteCounters counters;
    private final Turnstile turnstile;
    private final Replays replays;
    private final Map<Entity, CompletableFuture<Void>> leaving = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean leftOver;

    /** What order is kept for. */
    private record Entity(String partitionKey, String rowKey) {
        static Entity of(LaneItem item) {
            return new Entity(item.operation().partitionKey(), item.operation().rowKey());
        }
    }

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
    public JournalLine(
            Journal journal,
            TableService service,
            TableClient client,
            Batcher<LaneKey, LaneItem, Written> batcher,
            WriteCounters counters) {
        this.journal = journal;
        this.service = service;
        this.client = client;
        this.batcher = batcher;
        this.counters = counters;
        this.turnstile = new Turnstile(service.callbackScheduler());
        journal.dedicate(service.journalOf(client.table()));
        this.replays = new Replays(journal, this);
        replays.start(service.callbackScheduler(), batcher.settings().bufferItems(), turnstile::open);
    }

    /**
     * What became of the operations of earlier processes.
     *
     * @return the report, once each of them has its result
     */
    public Replays replays() {
        return replays;
    }

    /**
     * Ends when all operations of earlier processes are in their lanes.
     *
     * @return the end of it
     */
    public Mono<Void> opened() {
        return Mono.fromFuture(turnstile.opened(), true);
    }

    /**
     * Writes an operation to disk and hands it over, waiting for both.
     *
     * @param operation the operation
     * @param into hands it to the batcher
     * @return the accepted operation
     */
    public Submission<Written> submit(EncodedOperation operation, Function<LaneItem, Submission<Written>> into) {
        Await.refuseEventLoop();
        CompletableFuture<LaneItem> written = written(operation);
        LaneItem item;
        try {
            item = Objects.requireNonNull(Await.on(Mono.fromFuture(written, true)));
            awaitTurn();
        } catch (RuntimeException e) {
            var unused = written.thenAccept(this::forget);
            throw e;
        }
        turnstile.drain();
        try {
            return into.apply(item);
        } catch (RuntimeException refused) {
            forget(item);
            throw refused;
        }
    }

    private void awaitTurn() {
        Duration timeout = batcher.settings().submitTimeout();
        if (!turnstile.opened().isDone()) {
            Await.on(opened().timeout(timeout, service.timer())
                    .onErrorMap(
                            TimeoutException.class,
                            e -> new BufferFullException(
                                    "no room within " + timeout + ": the operations of earlier processes come first, "
                                            + journal.outstandingRecords() + " records are in the journal")));
        }
    }

    /**
     * Writes an operation to disk and gives it when it is its turn, without a thread that waits. Cancelling takes it back.
     *
     * @param operation the operation
     * @param then what becomes of it
     * @param <R> the type of that
     * @return what became of it
     */
    public <R> Mono<R> write(EncodedOperation operation, Function<LaneItem, Mono<R>> then) {
        return Mono.create(sink -> {
            Disposable.Swap running = Disposables.swap();
            sink.onDispose(running);
            turnstile.add(written(operation), (item, error) -> {
                if (item == null) {
                    sink.error(unwrapped(error));
                } else if (running.isDisposed()) {
                    forget(item);
                } else {
                    running.update(then.apply(item)
                            .doOnError(e -> ended(item, Objects.requireNonNull(item.ticket()), e))
                            .contextWrite(sink.contextView())
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

    private CompletableFuture<LaneItem> written(EncodedOperation operation) {
        EncodedOperation marked =
                Marks.leaves(operation, Marking.ALL) ? operation.marked(RequestIds.next()) : operation;
        Instant now = Instant.ofEpochMilli(service.timer().now(TimeUnit.MILLISECONDS));
        Duration allowed = client.retry().serverTimeout().plus(client.retry().grace());
        return journal.append(new JournalRecord(marked, now, allowed).bytes())
                .thenApply(id -> item(marked, JournalTicket.of(this, id, null)));
    }

    private LaneItem item(EncodedOperation operation, JournalTicket ticket) {
        return new LaneItem(client, operation, counters, ticket);
    }

    /** Sends what an earlier process has left. */
    Mono<Written> replay(long id, long opened) {
        JournalRecord record = JournalRecord.of(journal.read(id), client.encoder());
        Replay replay = new Replay(record, opened, service.timer());
        LaneItem item = item(record.operation(), JournalTicket.of(this, id, replay));
        LaneKey lane = service.lane(client.table(), record.operation().partitionKey());
        return batcher.write(lane, item)
                .doOnError(e -> ended(item, Objects.requireNonNull(item.ticket()), e))
                .doOnError(e -> replays.failed(item, e));
    }

    long now() {
        return service.timer().now(TimeUnit.NANOSECONDS);
    }

    /** Takes an operation from the disk that nobody wants any more. */
    private void forget(LaneItem item) {
        refused(item, new CancellationException("the operation was not handed over"));
    }

    /**
     * Takes an operation from the disk that was refused or failed, if it does not stay for the next writer.
     *
     * @param item the operation, or {@code null} if it never was on disk
     * @param failure why
     */
    public void refused(@Nullable LaneItem item, Throwable failure) {
        JournalTicket ticket = item == null ? null : item.ticket();
        if (item != null && ticket != null) {
            ended(item, ticket, failure);
        }
    }

    /** Called under the engine's lock, and by who was refused. */
    void ended(LaneItem item, JournalTicket ticket, @Nullable Throwable failure) {
        if (ticket.replay() != null) {
            ticket.replay().end();
        }
        leftOver |= failure instanceof LeftoverException;
        if (stays(ticket, failure)) {
            return;
        }
        for (long id : ticket.ids()) {
            CompletableFuture<Void> forgotten = journal.forget(id);
            if (!forgotten.isDone()) {
                Entity entity = Entity.of(item);
                leaving.put(entity, forgotten);
                var unused = forgotten.whenComplete((nothing, error) -> leaving.remove(entity, forgotten));
            }
        }
    }

    /** What a close has left over is for the next writer, and so is what nobody has been told. */
    static boolean stays(JournalTicket ticket, @Nullable Throwable failure) {
        if (failure == null || failure instanceof CancellationException) {
            return false;
        }
        if (ticket.replay() == null) {
            return failure instanceof LeftoverException;
        }
        return !(failure instanceof PredecessorUnknownException)
                && !(failure instanceof PredecessorFailedException)
                && !(failure instanceof StorageException error && Replay.isFinal(error));
    }

    /** What a batch must wait for: that nothing is on disk any more that came before on its entities. */
    static @Nullable Mono<Void> before(List<LaneItem> items) {
        List<CompletableFuture<Void>> all = null;
        JournalLine line = null;
        for (LaneItem item : items) {
            JournalTicket ticket = item.ticket();
            CompletableFuture<Void> earlier =
                    ticket == null ? null : ticket.line().leaving.get(Entity.of(item));
            if (earlier != null && ticket != null) {
                all = all == null ? new ArrayList<>() : all;
                all.add(earlier);
                line = ticket.line();
            }
        }
        if (all == null || line == null) {
            return null;
        }
        line.journal.hurry();
        // Where the disk refuses, the operation goes on all the same: only after a crash now would the one before it
        // come once more.
        return Mono.fromFuture(CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])), true)
                .onErrorComplete();
    }

    /** Gives the journal back, once, unless operations were left over: attempts of theirs may still go out. */
    public void close() {
        if (closed.compareAndSet(false, true) && !leftOver) {
            journal.release();
        }
    }
}
