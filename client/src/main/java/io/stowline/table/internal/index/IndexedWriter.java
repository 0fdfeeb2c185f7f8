package io.stowline.table.internal.index;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.engine.BatchingEngine;
import io.stowline.batching.internal.writer.Batcher;
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
import io.stowline.table.internal.operation.AcceptedWrite;
import io.stowline.table.internal.operation.LaneSettings;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.WriterOperations;
import io.stowline.table.internal.request.ChangeSetBody;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.LeakDetector;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A writer of entities with index rows (decision 38). Each entity is a lane of an engine whose batches are single writes, each a sequence of steps:
 * looks, references, the entity with its copies, references. The steps of many entities go together, through writers over the lanes that all
 * writers of the client share.
 */
final class IndexedWriter<T> implements WriterOperations<T> {

    private static final int MAX_WRITES = 100_000;

    private final IndexedContext<T> context;
    private final GroupedWrites<T> grouped;
    private final BatchingEngine<EntityKey, EntityWrite<T>, WriteResult> engine;
    private final Batcher<EntityKey, EntityWrite<T>, WriteResult> batcher;
    private final Cleaner.Cleanable watched;

    IndexedWriter(IndexedContext<T> context, UnaryOperator<WriterSettings.Builder> settings) {
        WriterSettings given = Objects.requireNonNull(settings, "settings")
                .apply(WriterSettings.builder())
                .build();
        this.context = context;
        this.grouped = new GroupedWrites<>(context, given);
        IndexedWrites<T> writes = new IndexedWrites<>(grouped.steps(context), grouped);
        // Not a method of this writer, which the client would hold by it and never find lost.
        this.engine = context.primary()
                .service()
                .sequences(new Descriptor<>(), batch -> send(writes, batch), Math.min(MAX_WRITES, given.bufferItems()));
        this.batcher = engine.batcher(new LaneSettings(given.toBuilder()
                .linger(Duration.ZERO)
                .withoutDeliveryTimeout()
                .withoutGivingUp()
                .build()));
        context.primary().service().openedSequences(batcher);
        this.watched = watch(this, context, batcher, engine, grouped);
    }

    /** Static: the cleaner must not reference the object it watches. */
    private static Cleaner.Cleanable watch(
            IndexedWriter<?> writer,
            IndexedContext<?> context,
            Batcher<?, ?, WriteResult> batcher,
            BatchingEngine<?, ?, ?> engine,
            GroupedWrites<?> grouped) {
        TableService service = context.primary().service();
        return LeakDetector.shared()
                .watch(
                        writer,
                        "a writer of the table " + context.table(),
                        () -> service.lost(batcher, () -> end(engine, grouped)),
                        LaneWriter.WHEN_LOST);
    }

    /**
     * A write of one entity.
     *
     * @param operation what is done
     * @param key the entity
     * @param size about what it takes on the wire with its index rows
     * @param table the table's name
     */
    private record EntityWrite<T>(TableOperation<T, ?> operation, EntityKey key, int size, String table) {

        @Override
        public String toString() {
            return operation.verb() + " " + TableRequests.resource(table, key.partitionKey(), key.rowKey());
        }
    }

    /** The engine's view of such a write. */
    private static final class Descriptor<T> implements BatchDescriptor<EntityWrite<T>> {

        @Override
        public Object entity(EntityWrite<T> write) {
            return write.key();
        }

        @Override
        public int size(EntityWrite<T> write) {
            return write.size();
        }
    }

    /**
     * Refuses an operation that cannot be written. An insert has all its copies; of other writes the copies may be
     * fewer.
     */
    private EntityWrite<T> accepted(TableOperation<T, ?> operation) {
        EncodedOperation entity = context.encode(operation);
        long size = (long) ChangeSetBody.size(entity) * (1 + context.copyCount());
        return new EntityWrite<>(
                operation,
                new EntityKey(entity.partitionKey(), entity.rowKey()),
                (int) Math.min(size, ChangeSetBody.MAX_BYTES / 2),
                context.table());
    }

    private static <T> Mono<BatchReply<WriteResult>> send(
            IndexedWrites<T> writes, DeliveryBatch<EntityKey, EntityWrite<T>> batch) {
        EntityWrite<T> write = batch.items().get(0);
        return Mono.defer(() -> writes.write(write.operation()))
                .<BatchReply<WriteResult>>map(
                        written -> new BatchReply.PerItem<>(List.of(new ItemReply.ItemDone<>(written))))
                .onErrorResume(e -> Mono.just(failed(e)));
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
        return new AcceptedWrite(batcher.submit(write.key(), write));
    }

    @Override
    public Submission<WriteResult> offer(TableOperation<T, ?> operation) {
        EntityWrite<T> write = accepted(operation);
        return new AcceptedWrite(batcher.offer(write.key(), write));
    }

    @Override
    public Mono<WriteResult> write(TableOperation<T, ?> operation) {
        EntityWrite<T> write;
        try {
            write = accepted(operation);
        } catch (Throwable refusal) { // Reactor would throw what it takes for fatal, not emit it
            return Mono.error(refusal);
        }
        return batcher.write(write.key(), write);
    }

    @Override
    public <C> Flux<ItemResult<C, WriteResult>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return WriteFlux.writeAll(batcher, Flux.from(operations).map(this::tagged))
                .map(WriterOperations::result);
    }

    private <C> TaggedItem<EntityKey, EntityWrite<T>, C> tagged(TableOperation<T, C> operation) {
        C context = operation.context();
        try {
            EntityWrite<T> write = accepted(operation);
            return TaggedItem.of(write.key(), write, context);
        } catch (Throwable refusal) {
            return TaggedItem.refused(refusal, context);
        }
    }

    @Override
    public Mono<FlushReport> flush() {
        return Mono.defer(() -> {
            grouped.hurry(true);
            return batcher.flush().map(WriterOperations::report).doFinally(end -> grouped.hurry(false));
        });
    }

    @Override
    public FlushReport flushAndWait() {
        BlockingAwait.refuseEventLoop();
        grouped.hurry(true);
        try {
            return WriterOperations.flushed(batcher);
        } finally {
            grouped.hurry(false);
        }
    }

    @Override
    public Mono<Void> closeAsync() {
        return Mono.defer(() -> {
            grouped.hurry(true);
            return batcher.closeAsync().doOnTerminate(this::end);
        });
    }

    @Override
    public void close() {
        grouped.hurry(true);
        batcher.closeAsync().doOnTerminate(this::end).subscribe(nothing -> {}, failures -> {});
        batcher.close();
    }

    /** Ends the engine: a write without a result by now has no use for its steps. */
    private void end() {
        context.primary().service().closed(batcher);
        watched.clean();
        end(engine, grouped);
    }

    private static void end(BatchingEngine<?, ?, ?> engine, GroupedWrites<?> grouped) {
        engine.closeAsync(Duration.ZERO).then(grouped.closeAsync()).subscribe(nothing -> {}, failures -> {});
    }

    @Override
    public Batcher<?, ?, WriteResult> batcher() {
        return batcher;
    }

    @Override
    public TableWriter.Stats stats() {
        return grouped.stats();
    }
}
