package io.stowline.table.internal.writer;

import io.stowline.access.internal.SasSigner;
import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchSender;
import io.stowline.batching.internal.engine.BatchingEngine;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.request.ChangeSetBody;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.ScanGuard;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.write.AcceptedWrite;
import io.stowline.table.internal.write.TableListing;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.write.TableOperations.TableSettings;
import io.stowline.table.internal.write.TransactionOutbox;
import io.stowline.table.internal.writer.BatchDelivery.GateAdmission;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientCache;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.NameListing;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.Lazy;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.pipeline.ViewSettings;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The table service of one account as one client uses it: its tables, and the lanes that all writers share. Thread-safe. */
public final class TableService {

    /** The most operations of an entity group transaction (the service's page on them). */
    public static final int MAX_OPERATIONS = StorageLimits.TRANSACTION_MAX_OPERATIONS;

    /** Room for bytes that a proxy or the service may count differently. */
    private static final int MARGIN = 16 * 1024;

    /** The most bytes of an entity group transaction. */
    public static final int MAX_BYTES = ChangeSetBody.MAX_BYTES - MARGIN;

    private static final int MAX_BATCHES_IN_FLIGHT = 64;

    private final StorageAccount account;
    private final ClientRuntime runtime;
    private final RetrySettings retry;
    private final ScanGuard scans;
    private final TableRequests requests;
    private final SasSigner signer;
    private final Lazy<BatchingEngine<LaneKey, QueuedWrite, WriteResult>> lanes = new Lazy<>(this::engine);
    private volatile boolean closed;
    private final Scheduler steps;
    private final Map<Batcher<?, ?, WriteResult>, Optional<BooleanSupplier>> open = new ConcurrentHashMap<>();

    /** Batchers whose operations go through the lanes in several steps. */
    private final Set<Batcher<?, ?, WriteResult>> sequences = ConcurrentHashMap.newKeySet();

    /** Single operations that go through the lanes in several steps. */
    private final InFlightRegistry sequencesInFlight = new InFlightRegistry();

    /** Delivery terms shared by the open writers, weakly referenced. */
    private final Map<DeliveryTerms, WeakReference<DeliveryTerms>> terms = new WeakHashMap<>();

    private @Nullable TransactionOutbox outbox;

    /** Ends of journals that their writers have not given back. */
    private final Set<Runnable> journals = ConcurrentHashMap.newKeySet();

    /**
     * Prepares the service; nothing is sent.
     *
     * @param retry how operations are tried
     * @param scans what becomes of queries that scan a table
     */
    public TableService(StorageAccount account, ClientRuntime runtime, RetrySettings retry, ScanPolicy scans) {
        this.account = account;
        this.runtime = runtime;
        this.retry = retry;
        this.scans = ScanGuard.of(scans);
        this.requests = new TableRequests(() -> account.endpoint(Service.TABLE));
        this.signer = new SasSigner(account, Service.TABLE, runtime.to(Service.TABLE), retry);
        this.steps = Schedulers.fromExecutor(runtime.work(), true);
        runtime.backlog(Service.TABLE)
                .readFrom(
                        () -> open.keySet().stream()
                                .mapToLong(Batcher::bufferedItems)
                                .sum(),
                        () -> open.keySet().stream()
                                .mapToLong(Batcher::bufferedBytes)
                                .sum(),
                        this::paused);
    }

    /** The lanes of writers and transactions, which single operations do not need. */
    private BatchingEngine<LaneKey, QueuedWrite, WriteResult> engine() {
        BatchingEngine<LaneKey, QueuedWrite, WriteResult> engine = BatchingEngine.builder(
                        new QueuedWrite.Descriptor(), new JournalingSender(runtime.to(Service.TABLE)))
                .limits(MAX_OPERATIONS, MAX_BYTES, ChangeSetBody.ENVELOPE)
                .admission(new GateAdmission(runtime.to(Service.TABLE).gate()))
                .maxBatchesInFlight(MAX_BATCHES_IN_FLIGHT)
                .timer(runtime.timer())
                .callbacks(laneCallbacks())
                .errors(new WriterErrors())
                .submissions(AcceptedWrite::new)
                .build();
        if (closed) {
            engine.closeWithoutCallbacks(Duration.ZERO).subscribe();
        }
        return engine;
    }

    private Mono<Void> closeLanes(Duration within) {
        closed = true;
        BatchingEngine<LaneKey, QueuedWrite, WriteResult> made = lanes.peek();
        return made == null ? Mono.empty() : made.closeWithoutCallbacks(within);
    }

    /** Counts the failures of the engine apart from those of other callbacks. */
    private LaneCallbacks laneCallbacks() {
        return new LaneCallbacks(Callbacks.on(runtime.callbacks(), runtime.work()));
    }

    private long paused() {
        return open.values().stream()
                .filter(paused -> paused.isPresent() && paused.get().getAsBoolean())
                .count();
    }

    /**
     * Returns the operations of one table.
     *
     * @param name the table's name
     * @return its client
     * @throws IllegalArgumentException if the service does not allow the name, or the account has no table endpoint
     */
    public TableOperations table(String name) {
        account.endpoint(Service.TABLE);
        runtime.use(Service.TABLE);
        return new TableOperations(
                NameRules.table(name),
                requests,
                runtime.to(Service.TABLE),
                new TableSettings(
                        ViewSettings.of(retry, runtime.reads(Service.TABLE)), WriteMarkers.DECISIVE, scans, null));
    }

    /**
     * Returns the listing of the tables.
     *
     * @throws IllegalArgumentException if the account has no table endpoint
     */
    public NameListing<Continuation> tables() {
        account.endpoint(Service.TABLE);
        runtime.use(Service.TABLE);
        return TableListing.of(requests, runtime.to(Service.TABLE), retry);
    }

    /** Connects the tables with the outbox of the client, before its first use. */
    public void connect(TransactionOutbox ofClient) {
        outbox = ofClient;
    }

    /** Returns the outbox of the client. */
    public TransactionOutbox outbox() {
        return Objects.requireNonNull(outbox, "the outbox of the client");
    }

    /** Returns the signer of access for others. */
    public SasSigner signer() {
        return signer;
    }

    /** Returns the engine that groups operations into transactions. */
    public BatchingEngine<LaneKey, QueuedWrite, WriteResult> lanes() {
        return lanes.get();
    }

    /**
     * Returns an engine that carries out single items, each a sequence of requests through the lanes.
     *
     * @param descriptor what it must know of an item
     * @param atATime the most items at a time
     * @return the engine, to be closed with its writer
     */
    public <K, I> BatchingEngine<K, I, WriteResult> sequences(
            BatchDescriptor<I> descriptor, BatchSender<K, I, WriteResult> sender, int atATime) {
        OperationObserver observer = runtime.to(Service.TABLE).observer();
        return BatchingEngine.<K, I, WriteResult>builder(descriptor, batch -> observer.detached(sender.send(batch)))
                .limits(1, MAX_BYTES, 0)
                .maxBatchesInFlight(atATime)
                .timer(runtime.timer())
                .callbacks(laneCallbacks())
                .errors(new WriterErrors())
                .submissions(AcceptedWrite::new)
                .build();
    }

    /**
     * Returns the delivery terms of a writer.
     *
     * @param operations the table as the writer knows it
     * @param timeout the time for the delivery, or {@code null} without a limit
     * @return the terms, one object for all writers with equal ones
     */
    public DeliveryTerms terms(TableOperations operations, @Nullable Duration timeout) {
        return shared(new DeliveryTerms(
                operations.retry(), operations.markers(), operations.headers(), timeout, false, false));
    }

    /**
     * Returns the delivery terms of the steps of a journaled writer, which sends them again after a refusal of the whole table.
     *
     * @param operations the table as the writer knows it
     * @param timeout the time for the delivery of a step, or {@code null} without a limit
     * @return the terms, one object for all writers with equal ones
     */
    public DeliveryTerms termsOfSteps(TableOperations operations, @Nullable Duration timeout) {
        return shared(new DeliveryTerms(
                operations.retry(), operations.markers(), operations.headers(), timeout, false, true));
    }

    /**
     * Returns the delivery terms of one call of the application: its requests are tried as often and as long as its table allows.
     *
     * @param operations the table as the call knows it
     * @return the terms, one object for all calls with equal ones
     */
    public DeliveryTerms termsOfCall(TableOperations operations) {
        return shared(
                new DeliveryTerms(operations.retry(), operations.markers(), operations.headers(), null, true, false));
    }

    private DeliveryTerms shared(DeliveryTerms given) {
        synchronized (terms) {
            WeakReference<DeliveryTerms> equal = terms.get(given);
            DeliveryTerms known = equal == null ? null : equal.get();
            if (known == null) {
                terms.put(given, new WeakReference<>(given));
            }
            return known == null ? given : known;
        }
    }

    /**
     * Returns the owner of a table's journal records: the account's name without its endpoint, so that they can follow
     * it.
     */
    public String journalOf(String table) {
        return "the table " + table.toLowerCase(Locale.ROOT) + " of the account " + account.name();
    }

    /** Returns the name of the account, for messages. */
    public String accountName() {
        return account.name();
    }

    /** Returns the host of the tables, with its port if it is not the usual one. */
    public String host() {
        URI endpoint = account.endpoint(Service.TABLE);
        return endpoint.getHost() + (endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort());
    }

    /** Returns the clock and alarm of all waits. */
    public Scheduler timer() {
        return runtime.timer();
    }

    /** Returns a pause between requests, which closing ends with an error. */
    public Mono<Long> pause(Duration time) {
        return runtime.to(Service.TABLE).pause(time);
    }

    /**
     * Delivers a result to the reactive face.
     *
     * @param result the result, on whatever thread
     * @param <R> its type
     * @return the same as a callback
     */
    public <R> Mono<R> delivered(Mono<R> result) {
        return runtime.delivery().deliver(result);
    }

    /**
     * Delivers results to the reactive face.
     *
     * @param results the results, on whatever thread
     * @param <R> their type
     * @return the same as callbacks, no more than one ahead of their reader
     */
    public <R> Flux<R> delivered(Flux<R> results) {
        return runtime.delivery().deliver(results, 1);
    }

    /**
     * Delivers a result to the next step of a sequence, on threads that no callback keeps and that may run code of the
     * application.
     *
     * @param result the result, on whatever thread
     * @param <R> its type
     * @return the same on another thread
     */
    public <R> Mono<R> continued(Mono<R> result) {
        return result.publishOn(steps);
    }

    /** Returns the callbacks that call listeners of the application. */
    public Callbacks delivery() {
        return runtime.delivery();
    }

    /** Returns the executor of work that waits for a disk. */
    public Executor work() {
        return runtime.work();
    }

    /**
     * Returns the cache of reads.
     *
     * @return the client's cache
     */
    public ClientCache cache() {
        return runtime.cache();
    }

    /**
     * Remembers a writer, to close it with the client.
     *
     * @param paused whether the writer is paused, or {@code null} if it has no journal
     */
    public void opened(Batcher<?, ?, WriteResult> writer, @Nullable BooleanSupplier paused) {
        open.put(writer, Optional.ofNullable(paused));
    }

    /**
     * Remembers a writer whose operations are sequences, to close it before the lanes that they go through.
     *
     * @param paused whether the writer is paused, or {@code null} if it has no journal
     */
    public void openedSequences(Batcher<?, ?, WriteResult> writer, @Nullable BooleanSupplier paused) {
        opened(writer, paused);
        sequences.add(writer);
    }

    /**
     * Runs an operation that is a sequence: closing waits for it before it closes the lanes, and refuses one that has
     * not begun.
     */
    public <A> Mono<A> sequence(Mono<A> operation) {
        return Mono.defer(() -> {
            sequencesInFlight.enter();
            return operation.doFinally(end -> sequencesInFlight.leave());
        });
    }

    /** Forgets a writer. */
    public void closed(Batcher<?, ?, WriteResult> writer) {
        open.remove(writer);
        sequences.remove(writer);
    }

    /**
     * Takes note that the application has lost a writer without a close. It is closed once it has sent all and holds nothing. One with failures that
     * no caller took, or with a journal, stays open until the client closes.
     *
     * @param end ends what the writer has beside its batcher
     * @return whether it was open
     */
    public boolean lost(Batcher<?, ?, WriteResult> writer, Runnable end) {
        Optional<BooleanSupplier> journaled = open.get(writer);
        if (journaled != null && journaled.isEmpty()) {
            writer.flush().subscribe(sent -> closeIdle(writer, end), failed -> {});
        }
        return journaled != null;
    }

    private void closeIdle(Batcher<?, ?, WriteResult> writer, Runnable end) {
        if (writer.isIdle()) {
            closed(writer);
            writer.closeAsync().doOnTerminate(end).subscribe(nothing -> {}, failures -> {});
        }
    }

    /**
     * Returns whether a writer has still to be closed.
     *
     * @return whether it is neither closed nor closed with the client
     */
    public boolean isOpen(Batcher<?, ?, WriteResult> writer) {
        return open.containsKey(writer);
    }

    /**
     * Closes the writers that are still open and then ends what the lanes hold. No callback is waited for, since an executor of the application may
     * run none.
     *
     * @param atMost the time for all of it
     * @return the end of it; an error if a writer had failures that no caller took
     */
    public Mono<Void> close(Duration atMost) {
        Set<Batcher<?, ?, WriteResult>> first = Set.copyOf(sequences);
        Set<Batcher<?, ?, WriteResult>> all = new HashSet<>(open.keySet());
        all.removeAll(first);
        long began = timer().now(TimeUnit.NANOSECONDS);
        Mono<Void> before = Mono.whenDelayError(ended(first), sequencesInFlight.close());
        return Flux.concatDelayError(before.timeout(atMost, Mono.empty(), timer()), Mono.defer(() -> {
                    long left = began + atMost.toNanos() - timer().now(TimeUnit.NANOSECONDS);
                    return Mono.whenDelayError(ended(all), closeLanes(Duration.ofNanos(Math.max(0, left))));
                }))
                .then()
                .doFinally(signal -> {
                    open.clear();
                    sequences.clear();
                });
    }

    private static Mono<Void> ended(Set<Batcher<?, ?, WriteResult>> writers) {
        return writers.isEmpty()
                ? Mono.empty()
                : Flux.fromIterable(writers)
                        .flatMapDelayError(Batcher::closeWithoutCallbacks, Integer.MAX_VALUE, 1)
                        .then();
    }

    /**
     * Gives back the journals of all writers. Only once nothing is sent any more, for what is left in a journal may be sent by its next
     * writer.
     */
    public void release() {
        journals.forEach(Runnable::run);
    }

    /**
     * Remembers a journal, to give it back at the end of the client.
     *
     * @param release gives it back
     */
    public void holds(Runnable release) {
        journals.add(release);
    }

    /** Forgets a journal that was given back. */
    public void released(Runnable release) {
        journals.remove(release);
    }

    /** Returns the source of the jitter of pauses. */
    RandomGenerator random() {
        return runtime.to(Service.TABLE).random();
    }
}
