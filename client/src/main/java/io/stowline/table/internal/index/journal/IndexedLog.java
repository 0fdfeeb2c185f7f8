package io.stowline.table.internal.index.journal;

import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.error.StorageException;
import io.stowline.journal.JournalException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedWriter;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.operation.LaneSettings;
import io.stowline.table.internal.operation.WriterOperations;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.write.OperationLog;
import io.stowline.table.internal.writer.DeliveryPause;
import io.stowline.table.internal.writer.EntityFences;
import io.stowline.table.internal.writer.JournalExit;
import io.stowline.table.internal.writer.JournalOrderGate;
import io.stowline.table.internal.writer.JournalRecord;
import io.stowline.table.internal.writer.JournalReplayer;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The write-ahead log of a writer with indexes, over its journal: an operation goes into its lane when it is on disk, in the order of arrival,
 * and leaves the disk when all of its index rows are right. Thread-safe.
 */
final class IndexedLog<T> implements OperationLog {

    private static final Logger LOG = LoggerFactory.getLogger(IndexedLog.class);
    private static final String ANY_VERSION = "*";

    private final RecordJournal journal;
    private final IndexedContext<T> context;
    private final TableService service;
    private final EntityFences fences;
    private final JournalExit exit;
    private final DeliveryPause pause;
    private final JournalOrderGate<LoggedWrite<T>> gate;
    private final JournalReplayer replays;
    private final Runnable release = this::release;
    private final long opened;

    /** Notes of earlier processes, by the record of their operation. */
    private final Map<Long, List<Long>> notes = new ConcurrentHashMap<>();

    /** Entities that an attempt of an earlier process may still change, with the time when it no longer can. */
    private final Map<EntityKey, Long> fenced = new ConcurrentHashMap<>();

    /**
     * Takes a journal.
     *
     * @throws JournalException if the journal is in use, or is for other records
     */
    IndexedLog(RecordJournal journal, IndexedContext<T> context, WriterSettings given) {
        this.journal = journal;
        this.context = context;
        this.service = context.primary().service();
        this.fences = new EntityFences(journal, service.timer());
        this.exit = new JournalExit(journal, fences, service.timer(), () -> service.released(release));
        this.pause = new DeliveryPause(journal, context.table(), new LaneSettings(given), service);
        this.gate = new JournalOrderGate<>(journal, service, given.submitTimeout(), LoggedWrite::refused);
        this.replays = new JournalReplayer(journal);
        this.opened = now();
        journal.bindTo(service.journalOf(context.table()) + " with index rows");
        service.holds(release);
    }

    /** Begins to carry out the operations of earlier processes, and then lets others in. */
    void start(IndexedWriter<T> writer, int window) {
        replays.start(service.work(), window, this::inOrder, id -> replayed(id, writer), gate::open);
    }

    @Override
    public Mono<Void> opened() {
        return gate.opened();
    }

    @Override
    public Mono<ReplayReport> replayed() {
        return replays.report();
    }

    DeliveryPause pause() {
        return pause;
    }

    JournalExit exit() {
        return exit;
    }

    TableService service() {
        return service;
    }

    IndexedContext<T> context() {
        return context;
    }

    long now() {
        return service.timer().now(TimeUnit.NANOSECONDS);
    }

    /** Returns the time for which an attempt may be carried out after its last byte. */
    Duration allowed() {
        RetrySettings retry = context.primary().operations().retry();
        return retry.serverTimeout().plus(retry.grace());
    }

    /** Returns the time until which an attempt of an earlier process may change the entity; a time in the past if none can. */
    long fencedUntil(EntityKey entity) {
        return fenced.getOrDefault(entity, opened);
    }

    /** Writes an operation to disk and hands it over, waiting for both. */
    PendingItem<WriteResult> submit(
            TableOperation<T, ?> operation,
            IndexedWriter<T> writer,
            BiFunction<TableOperation<T, ?>, LoggedWrite<T>, PendingItem<WriteResult>> into) {
        BlockingAwait.refuseEventLoop();
        return gate.submit(written(operation, accepted(operation), writer), write -> into.apply(operation, write));
    }

    /** Writes an operation to disk and gives it when it is its turn, without a thread that waits. */
    Mono<WriteResult> write(TableOperation<T, ?> operation, IndexedWriter<T> writer) {
        return WriterOperations.encoded(() -> accepted(operation))
                .flatMap(entity ->
                        gate.write(() -> written(operation, entity, writer), write -> writer.write(operation, write)));
    }

    private EncodedOperation accepted(TableOperation<T, ?> operation) {
        EncodedOperation entity = context.encode(operation);
        String version = entity.ifMatch();
        if (version != null && !version.equals(ANY_VERSION)) {
            throw new IllegalArgumentException(entity.verb().label() + " of the version " + version
                    + ": a writer with index rows and a journal takes operations of any version only, since after a"
                    + " crash nothing proves that it replaced this version; use the IndexedTable for this one");
        }
        return entity;
    }

    private CompletableFuture<LoggedWrite<T>> written(
            TableOperation<T, ?> operation, EncodedOperation entity, IndexedWriter<T> writer) {
        Instant now = Instant.ofEpochMilli(service.timer().now(TimeUnit.MILLISECONDS));
        JournalRecord record = JournalRecord.of(entity, now, allowed());
        return journal.append(record.bytes())
                .thenApply(id -> new LoggedWrite<>(this, writer, operation, record, id, false));
    }

    /** Puts fences up and takes notes, before the operations that they are about. */
    private List<Long> inOrder(long[] ids) {
        List<Long> operations = new ArrayList<>();
        for (long id : fences.first(ids)) {
            byte[] bytes = read(id);
            if (JournalRecord.isFence(bytes)) {
                fence(id, JournalRecord.of(bytes, context.encoder()));
            } else if (LostReferences.is(bytes)) {
                journal.setAside(id);
                notes.computeIfAbsent(LostReferences.of(bytes).operation(), of -> new ArrayList<>())
                        .add(id);
            } else {
                operations.add(id);
            }
        }
        Map<Long, List<Long>> orphans = new HashMap<>(notes);
        operations.forEach(orphans::remove);
        orphans.values().forEach(about -> about.forEach(journal::complete));
        return operations;
    }

    /** An unreadable record is reported where it is to be sent. */
    private byte[] read(long id) {
        try {
            return journal.read(id);
        } catch (JournalException unreadable) {
            return new byte[0];
        }
    }

    private void fence(long id, JournalRecord record) {
        EncodedOperation entity = record.operation();
        long until = opened + record.allowed().toNanos();
        fenced.merge(new EntityKey(entity.partitionKey(), entity.rowKey()), until, Math::max);
        fences.keep(id, Duration.ofNanos(Math.max(1, until - now())));
    }

    private Mono<WriteResult> replayed(long id, IndexedWriter<T> writer) {
        JournalRecord record = JournalRecord.of(journal.read(id), context.encoder());
        LoggedWrite<T> write = new LoggedWrite<>(this, writer, operation(record.operation()), record, id, true);
        for (long note : notes.getOrDefault(id, List.of())) {
            write.noted(note, keys(LostReferences.of(journal.read(note))));
        }
        return writer.write(write.operation(), write).doOnError(e -> {
            var unused = write.refused(e);
            replays.failed(e);
        });
    }

    /** References of indexes that are no longer declared stay. */
    private List<IndexKey> keys(LostReferences lost) {
        return lost.references().stream()
                .flatMap(key -> context.indexes().stream()
                        .filter(index -> index.elsewhere() && key.partitionKey().startsWith(index.prefix()))
                        .map(index -> new IndexKey(index, key.partitionKey(), key.rowKey())))
                .toList();
    }

    private TableOperation<T, ?> operation(EncodedOperation entity) {
        if (entity.verb() == EntityVerb.DELETE) {
            return TableOperation.delete(entity.partitionKey(), entity.rowKey());
        }
        T value = RowDecoder.encoded(
                context.table(), entity.content(), context.primary().codec());
        return switch (entity.verb()) {
            case INSERT -> TableOperation.insert(value);
            case INSERT_OR_REPLACE -> TableOperation.insertOrReplace(value);
            case INSERT_OR_MERGE -> TableOperation.insertOrMerge(value);
            case REPLACE -> TableOperation.replace(StoredEntity.of(value, ANY_VERSION));
            default -> TableOperation.merge(StoredEntity.of(value, ANY_VERSION));
        };
    }

    /** Keeps the references that an operation loses. Without room for them a crash may leave them to a repair. */
    Mono<Long> note(long operation, List<IndexKey> references) {
        LostReferences lost = new LostReferences(
                operation,
                references.stream()
                        .map(key -> new EntityKey(key.partitionKey(), key.rowKey()))
                        .toList());
        return Mono.fromFuture(() -> journal.appendAside(lost.bytes()), true)
                .onErrorResume(JournalException.class, e -> {
                    LOG.warn("{} keeps no note of references that are to be removed: {}", journal, e.getMessage());
                    return Mono.empty();
                })
                .as(service::continued);
    }

    /** Takes a record with its notes from the disk, or moves it to the operations that were refused for good. */
    CompletableFuture<Void> leave(long id, List<Long> about, @Nullable String rejection) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        all.add(rejection == null ? journal.forget(id) : journal.reject(id, rejection));
        about.forEach(note -> all.add(journal.forget(note)));
        journal.flush();
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    /** Keeps an entity from the next process, for as long as an attempt that was given up may still insert it. */
    void fence(EncodedOperation entity) {
        if (!exit.isClosed()) {
            fences.put(entity, allowed());
        }
    }

    /** Returns when the record of an operation with a result is gone. Where the disk refuses, a crash brings it once more. */
    Mono<Void> gone(Function<IndexedLog<T>, CompletableFuture<Void>> leaving) {
        return Mono.fromFuture(() -> leaving.apply(this), true)
                .onErrorResume(e -> {
                    LOG.warn("a finished operation may come back after a crash: {}", e.getMessage());
                    return Mono.empty();
                })
                .as(service::continued);
    }

    @Override
    public @Nullable StorageException pausedBy() {
        return exit.isClosed() ? null : pause.cause();
    }

    @Override
    public List<RejectedOperation> rejected() {
        return journal.rejected().stream()
                .map(each -> JournalRecord.rejected(each, context.encoder()))
                .toList();
    }

    @Override
    public void discardRejected(long id) {
        journal.discardRejected(id);
    }

    @Override
    public void close() {
        exit.close();
    }

    /** Gives the journal back in any case: the client has ended its requests. */
    void release() {
        exit.release();
    }

    long openedAt() {
        return opened;
    }
}
