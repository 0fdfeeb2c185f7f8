package io.stowline.table.internal.index;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.engine.BatchingEngine;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.error.AuthenticationException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.error.internal.StatusMeaning;
import io.stowline.error.internal.StatusMeaning.Culprit;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.EntityKey;
import io.stowline.table.FlushReport;
import io.stowline.table.GaveUpException;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.operation.LaneSettings;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableMember;
import io.stowline.table.internal.operation.WriterOperations;
import io.stowline.table.internal.request.ChangeSetBody;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.write.AcceptedWrite;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.LeakDetector;
import io.stowline.transport.internal.concurrent.UserCode;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A writer of entities with index rows (decision 38). Each entity is a lane of an engine whose batches are single writes, each a sequence of steps:
 * looks, references, the entity with its copies, references. The steps of many entities go together, through writers over the lanes that all
 * writers of the client share.
 */
public final class IndexedWriter<T> implements WriterOperations<T> {

    private static final int MAX_WRITES = 100_000;

    private final IndexedContext<T> context;
    private final IndexedWrites<T> writes;
    private final OpenSequences open;

    public IndexedWriter(IndexedContext<T> context, UnaryOperator<WriterSettings.Builder> settings) {
        this(
                context,
                new OpenSequences(
                        context,
                        Objects.requireNonNull(settings, "settings")
                                .apply(WriterSettings.builder())
                                .build(),
                        null));
    }

    /**
     * Opens a writer whose operations come with their logs.
     *
     * @param paused whether it is paused
     */
    public static <T> IndexedWriter<T> journaled(
            IndexedContext<T> context, WriterSettings given, BooleanSupplier paused) {
        return new IndexedWriter<>(context, new OpenSequences(context, given, paused));
    }

    /** Returns a writer that leaves out the index rows elsewhere, and refuses entities in their partitions. */
    public static <T> IndexedWriter<T> ofEntities(
            IndexedContext<T> context, UnaryOperator<WriterSettings.Builder> settings) {
        IndexedWriter<T> writer = new IndexedWriter<>(context.besideEntities(), settings);
        writer.open.indexes.addAll(context.indexes());
        return writer;
    }

    private IndexedWriter(IndexedContext<T> context, OpenSequences open) {
        this.context = open.grouped.steps(context);
        this.writes = new IndexedWrites<>(this.context, open.grouped);
        this.open = open;
        open.admit(context);
    }

    @Override
    public <R> IndexedWriter<R> in(TableMember<R> member) {
        return new IndexedWriter<>(IndexedContext.of(member), open);
    }

    /** The part of a writer that its views for several types share; it is lost once all of them are. */
    private static final class OpenSequences {

        private final TableService service;
        private final GroupedWrites grouped;
        private final BatchingEngine<EntityKey, EntityWrite<?>, WriteResult> engine;
        private final Batcher<EntityKey, EntityWrite<?>, WriteResult> batcher;
        private final Cleaner.Cleanable watched;
        private final Map<String, String> owners = new ConcurrentHashMap<>();
        private final Set<TableIndex<?>> indexes = ConcurrentHashMap.newKeySet();

        OpenSequences(IndexedContext<?> context, WriterSettings given, @Nullable BooleanSupplier paused) {
            this.service = context.primary().service();
            this.grouped = new GroupedWrites(context, given, paused != null);
            this.engine = service.sequences(
                    new Descriptor(), EntityWrite::sendOne, Math.min(MAX_WRITES, given.bufferItems()));
            this.batcher = engine.batcher(new LaneSettings(given.toBuilder()
                    .linger(Duration.ZERO)
                    .withoutDeliveryTimeout()
                    .withoutGivingUp()
                    .build()));
            service.openedSequences(batcher, paused);
            this.watched = watch(this, service, context.table(), batcher, engine, grouped);
        }

        /** Static: the cleaner must not reference the object it watches. */
        private static Cleaner.Cleanable watch(
                OpenSequences open,
                TableService service,
                String table,
                Batcher<?, ?, WriteResult> batcher,
                BatchingEngine<?, ?, ?> engine,
                GroupedWrites grouped) {
            return LeakDetector.shared()
                    .watch(
                            open,
                            "a writer of the table " + table,
                            () -> service.lost(batcher, () -> end(engine, grouped)),
                            LaneWriter.WHEN_LOST);
        }

        void admit(IndexedContext<?> context) {
            context.indexes().forEach(index -> context.refuseShared(index.name(), owners));
            indexes.addAll(context.indexes());
        }

        /** Ends the engine once the writer is closed: a write without a result by then has no use for its steps. */
        void end() {
            if (batcher.isClosed()) {
                service.closed(batcher);
                watched.clean();
                end(engine, grouped);
            }
        }

        private static void end(BatchingEngine<?, ?, ?> engine, GroupedWrites grouped) {
            engine.closeAsync(Duration.ZERO).then(grouped.closeAsync()).subscribe(nothing -> {}, failures -> {});
        }
    }

    /**
     * A write of one entity.
     *
     * @param writes the writes of its type
     * @param operation what is done
     * @param key the entity
     * @param size about what it takes on the wire with its index rows
     * @param table the table's name
     * @param log the log of the operation, or {@code null} without a journal
     */
    private record EntityWrite<T>(
            IndexedWrites<T> writes,
            TableOperation<T, ?> operation,
            EntityKey key,
            int size,
            String table,
            @Nullable SequenceLog<T> log) {

        static Mono<BatchReply<WriteResult>> sendOne(DeliveryBatch<EntityKey, EntityWrite<?>> batch) {
            return batch.items().get(0).send();
        }

        private Mono<BatchReply<WriteResult>> send() {
            return Mono.defer(() -> log == null ? writes.write(operation) : log.carriedOut(writes))
                    .<BatchReply<WriteResult>>map(
                            written -> new BatchReply.PerItem<>(List.of(new ItemReply.ItemDone<>(written))))
                    .onErrorResume(e -> Mono.just(failed(e)));
        }

        @Override
        public String toString() {
            return operation.verb() + " " + TableRequests.resource(table, key.partitionKey(), key.rowKey());
        }
    }

    /** The engine's view of such a write. */
    private static final class Descriptor implements BatchDescriptor<EntityWrite<?>> {

        @Override
        public Object entity(EntityWrite<?> write) {
            return write.key();
        }

        @Override
        public int size(EntityWrite<?> write) {
            return write.size();
        }

        @Override
        public void ended(EntityWrite<?> write, @Nullable Throwable failure) {
            SequenceLog<?> log = write.log();
            if (log != null) {
                log.ended(failure);
            }
        }
    }

    /**
     * Refuses an operation that cannot be written. An insert has all its copies; of other writes the copies may be
     * fewer.
     */
    private EntityWrite<T> accepted(TableOperation<T, ?> operation) {
        return accepted(operation, null);
    }

    private EntityWrite<T> accepted(TableOperation<T, ?> operation, @Nullable SequenceLog<T> log) {
        EncodedOperation entity = context.encode(operation);
        open.indexes.forEach(index -> index.refuse(entity.partitionKey(), entity.rowKey()));
        long size = (long) ChangeSetBody.size(entity) * (1 + context.copyCount());
        return new EntityWrite<>(
                writes,
                operation,
                new EntityKey(entity.partitionKey(), entity.rowKey()),
                (int) Math.min(size, ChangeSetBody.MAX_BYTES / 2),
                context.table(),
                log);
    }

    public PendingItem<WriteResult> submit(TableOperation<T, ?> operation, SequenceLog<T> log) {
        EntityWrite<T> write = accepted(operation, log);
        return open.batcher.submit(write.key(), write);
    }

    public PendingItem<WriteResult> offer(TableOperation<T, ?> operation, SequenceLog<T> log) {
        EntityWrite<T> write = accepted(operation, log);
        return open.batcher.offer(write.key(), write);
    }

    public Mono<WriteResult> write(TableOperation<T, ?> operation, SequenceLog<T> log) {
        return written(() -> accepted(operation, log));
    }

    private static BatchReply<WriteResult> failed(Throwable error) {
        if (error instanceof OutcomeUnknownException) {
            return new BatchReply.BatchUnknown<>(error);
        }
        return dooms(error)
                ? new BatchReply.Doomed<>(error)
                : new BatchReply.PerItem<>(List.of(new ItemReply.ItemFailed<>(error)));
    }

    /** True if no later write would do better. */
    private static boolean dooms(Throwable error) {
        return error instanceof GaveUpException
                || error instanceof AuthenticationException
                || (error instanceof StorageException failed
                        && !(failed instanceof ProtocolException)
                        && StatusMeaning.of(
                                                failed.failure().status(),
                                                failed.failure().errorCode())
                                        .culprit()
                                == Culprit.TABLE);
    }

    @Override
    public Submission<WriteResult> submit(TableOperation<T, ?> operation) {
        EntityWrite<T> write = accepted(operation);
        return AcceptedWrite.of(open.batcher.submit(write.key(), write));
    }

    @Override
    public Submission<WriteResult> offer(TableOperation<T, ?> operation) {
        EntityWrite<T> write = accepted(operation);
        return AcceptedWrite.of(open.batcher.offer(write.key(), write));
    }

    @Override
    public Mono<WriteResult> write(TableOperation<T, ?> operation) {
        return written(() -> accepted(operation));
    }

    private Mono<WriteResult> written(Supplier<EntityWrite<T>> accepted) {
        EntityWrite<T> write;
        try {
            write = accepted.get();
        } catch (Throwable refusal) {
            return Mono.error(UserCode.signal(refusal));
        }
        return open.batcher.write(write.key(), write);
    }

    @Override
    public <C> Flux<ItemResult<C, WriteResult>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return WriteFlux.writeAll(open.batcher, Flux.from(operations).map(this::tagged))
                .map(WriterOperations::result);
    }

    private <C> TaggedItem<EntityKey, EntityWrite<?>, C> tagged(TableOperation<T, C> operation) {
        C context = operation.context();
        try {
            EntityWrite<T> write = accepted(operation);
            return TaggedItem.of(write.key(), write, context);
        } catch (Throwable refusal) {
            return TaggedItem.refused(UserCode.signal(refusal), context);
        }
    }

    @Override
    public Mono<FlushReport> flush() {
        return Mono.defer(() -> {
            open.grouped.hurry(true);
            return open.batcher.flush().map(WriterOperations::report).doFinally(end -> open.grouped.hurry(false));
        });
    }

    @Override
    public FlushReport flushAndWait() {
        BlockingAwait.refuseEventLoop();
        open.grouped.hurry(true);
        try {
            return WriterOperations.flushed(open.batcher);
        } finally {
            open.grouped.hurry(false);
        }
    }

    @Override
    public Mono<Void> closeAsync() {
        return Mono.defer(() -> {
            open.grouped.hurry(true);
            return open.batcher.closeAsync().doOnTerminate(open::end);
        });
    }

    @Override
    public void close() {
        open.grouped.hurry(true);
        // A close within a callback does not wait, nor does one that is given up.
        open.batcher.closeAsync().doOnTerminate(open::end).subscribe(nothing -> {}, failures -> {});
        try {
            open.batcher.close();
        } finally {
            open.end();
        }
    }

    @Override
    public Batcher<?, ?, WriteResult> batcher() {
        return open.batcher;
    }

    @Override
    public TableWriter.Stats stats() {
        return open.grouped.stats();
    }
}
