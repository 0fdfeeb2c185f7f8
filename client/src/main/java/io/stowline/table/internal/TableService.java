package io.stowline.table.internal;

import io.stowline.batching.BatchLimits;
import io.stowline.batching.Batcher;
import io.stowline.batching.Lanes;
import io.stowline.outcome.Marking;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Written;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.AccountCache;
import io.stowline.transport.internal.AccountConnection;
import io.stowline.transport.internal.StorageAccount;
import io.stowline.transport.internal.StorageAccount.Service;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The table service of one account as one client uses it: its tables, and the lanes that all writers share. Thread-safe. */
public final class TableService {

    /** The most operations of an entity group transaction (the service's page on them). */
    public static final int MAX_OPERATIONS = StorageLimits.TRANSACTION_MAX_OPERATIONS;

    /** Room for what a proxy or the service may count differently. */
    private static final int MARGIN = 16 * 1024;

    private static final int MAX_BATCHES_IN_FLIGHT = 64;

    private final StorageAccount account;
    private final AccountConnection connection;
    private final RetrySettings retry;
    private final ScanGuard scans;
    private final TableRequests requests;
    private final Lanes<LaneKey, LaneItem, Written> lanes;
    private final Map<Batcher<LaneKey, LaneItem, Written>, Optional<JournalLine>> open = new ConcurrentHashMap<>();

    /** Those that have a journal and have not given it back. */
    private final Set<JournalLine> lines = ConcurrentHashMap.newKeySet();

    /**
     * Prepares the service; nothing is sent.
     *
     * @param account the account
     * @param connection the connection to it
     * @param retry how operations are tried
     * @param scans what becomes of queries that scan a table
     */
    public TableService(StorageAccount account, AccountConnection connection, RetrySettings retry, ScanPolicy scans) {
        this.account = account;
        this.connection = connection;
        this.retry = retry;
        this.scans = ScanGuard.of(scans);
        this.requests = new TableRequests(() -> account.endpoint(Service.TABLE));
        this.lanes = Lanes.builder(new LaneItem.Descriptor(), new LaneSender(connection.to(Service.TABLE)))
                .limits(new BatchLimits(MAX_OPERATIONS, BatchBody.MAX_BYTES - MARGIN, BatchBody.ENVELOPE))
                .admission(new GateAdmission(connection.to(Service.TABLE).gate()))
                .maxBatchesInFlight(MAX_BATCHES_IN_FLIGHT)
                .timer(connection.timer())
                .callbacks(connection.callbacks())
                .build();
        connection
                .backlog(Service.TABLE)
                .readFrom(
                        () -> open.keySet().stream()
                                .mapToLong(Batcher::bufferedItems)
                                .sum(),
                        () -> open.keySet().stream()
                                .mapToLong(Batcher::bufferedBytes)
                                .sum(),
                        this::paused);
    }

    private long paused() {
        return open.values().stream()
                .filter(line -> line.isPresent() && line.get().pausedBy() != null)
                .count();
    }

    /**
     * The operations of one table.
     *
     * @param name the table's name
     * @return its client
     * @throws IllegalArgumentException if the service does not allow the name, or the account has no table endpoint
     */
    public TableClient table(String name) {
        account.endpoint(Service.TABLE);
        return new TableClient(
                TableNames.check(name),
                requests,
                connection.to(Service.TABLE),
                new TableSettings(retry, Marking.DECISIVE, connection.reads(Service.TABLE), scans));
    }

    /**
     * The names of the tables.
     *
     * @return the walk over them
     * @throws IllegalArgumentException if the account has no table endpoint
     */
    public TableList tables() {
        account.endpoint(Service.TABLE);
        return new TableList(requests, connection.to(Service.TABLE), retry);
    }

    /**
     * What groups operations into transactions.
     *
     * @return the lanes
     */
    public Lanes<LaneKey, LaneItem, Written> lanes() {
        return lanes;
    }

    /**
     * The lane of a partition.
     *
     * @param table the table
     * @param partitionKey the partition
     * @return its key
     */
    public LaneKey lane(String table, String partitionKey) {
        return LaneKey.of(table, partitionKey);
    }

    /**
     * Whom the records of a table's journal are for. The account's name, and not where it is, so that they can follow it.
     *
     * @param table the table
     * @return the table and its account
     */
    public String journalOf(String table) {
        return "the table " + table.toLowerCase(Locale.ROOT) + " of the account " + account.name();
    }

    /**
     * The clock and alarm of all waits.
     *
     * @return the timer
     */
    public Scheduler timer() {
        return connection.timer();
    }

    /**
     * Where results are delivered.
     *
     * @return the scheduler of the callback threads
     */
    public Scheduler callbackScheduler() {
        return connection.callbackScheduler();
    }

    /**
     * What is kept of what was read.
     *
     * @return the client's cache
     */
    public AccountCache cache() {
        return connection.cache();
    }

    /**
     * Remembers a writer, to close it with the client.
     *
     * @param writer the writer
     * @param line its way through its journal, or {@code null} if it has none
     */
    public void opened(Batcher<LaneKey, LaneItem, Written> writer, @Nullable JournalLine line) {
        open.put(writer, Optional.ofNullable(line));
    }

    /**
     * Forgets a writer.
     *
     * @param writer the writer
     */
    public void closed(Batcher<LaneKey, LaneItem, Written> writer) {
        open.remove(writer);
    }

    /**
     * Whether a writer has still to be closed.
     *
     * @param writer the writer
     * @return whether it is neither closed nor closed with the client
     */
    public boolean isOpen(Batcher<LaneKey, LaneItem, Written> writer) {
        return open.containsKey(writer);
    }

    /**
     * Closes the writers that are still open and then ends what the lanes hold.
     *
     * @param atMost the time for all of it
     * @return the end of it; an error if a writer had failures that nobody took
     */
    public Mono<Void> close(Duration atMost) {
        Map<Batcher<LaneKey, LaneItem, Written>, Optional<JournalLine>> all = Map.copyOf(open);
        Mono<Void> writers = Flux.fromIterable(all.keySet())
                .flatMapDelayError(Batcher::closeAsync, Integer.MAX_VALUE, 1)
                .then();
        return Mono.whenDelayError(writers, lanes.closeAsync(atMost)).doFinally(signal -> open.clear());
    }

    /**
     * Gives back the journals of all writers. Only once nothing is sent any more, for what is left in a journal may be sent by its next
     * writer.
     */
    public void release() {
        lines.forEach(JournalLine::release);
    }

    void holds(JournalLine line) {
        lines.add(line);
    }

    void letsGo(JournalLine line) {
        lines.remove(line);
    }
}
