package io.stowline.table;

import io.stowline.batching.BatcherSettings;
import io.stowline.batching.PredecessorUnknownException;
import io.stowline.batching.internal.batch.Batcher;
import io.stowline.retry.Deadline;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.internal.writer.WriteCounters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The steps of many writes together: entities with their copies through one writer, references through another, looks a few at a time.
 * Results are handed on by the threads that have them. Thread-safe.
 */
final class GroupedWrites<T> implements IndexedWrite.WritePath {

    private static final int MOST_LOOKS = 32;

    /** How long a write waits for the next look whether one of unknown outcome can still arrive. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofDays(365);

    private final TableContext<T> table;
    private final TableService service;
    private final DeliveryTerms terms;
    private final Batcher<LaneKey, QueuedWrite, EntityWriteResult> entities;
    private final Batcher<LaneKey, QueuedWrite, EntityWriteResult> references;
    private final WriteCounters counters = new WriteCounters();
    private final Gate looks = Gate.fixed(MOST_LOOKS);
    private final boolean lingers;
    private final AtomicInteger hurries = new AtomicInteger();

    GroupedWrites(IndexedContext<T> scope, BatcherSettings given) {
        this.table = LaneWriter.within(scope.primary(), given);
        this.service = table.service();
        this.terms = service.terms(table.client(), given.deliveryTimeout());
        this.lingers = !given.linger().isZero();
        BatcherSettings steps = steps(given);
        this.entities = service.lanes().batcher(steps);
        this.references = service.lanes().batcher(steps);
    }

    /** What the application set for results is for those of the whole. */
    private static BatcherSettings steps(BatcherSettings given) {
        BatcherSettings.Builder steps = BatcherSettings.builder()
                .linger(given.linger())
                .bufferItems(given.bufferItems())
                .bufferBytes(given.bufferBytes())
                .closeTimeout(given.closeTimeout())
                .warnAtExit(false)
                .callbacks(Runnable::run);
        Duration delivery = given.deliveryTimeout();
        steps = delivery == null ? steps.withoutDeliveryTimeout() : steps.deliveryTimeout(delivery);
        Duration giveUpAfter = given.giveUpAfter();
        return (giveUpAfter == null ? steps.withoutGivingUp() : steps.giveUpAfter(giveUpAfter)).build();
    }

    @Override
    public Mono<List<EntityWriteResult>> commit(List<EncodedOperation> operations) {
        EncodedOperation entity = operations.get(0);
        List<EncodedOperation> rows = operations.subList(1, operations.size());
        return Mono.defer(() -> commit(
                        entity, rows, now() + table.client().retry().deadline().toNanos()))
                .map(List::of);
    }

    /** A write behind one of unknown outcome, which is refused, waits until that one can no longer arrive. */
    private Mono<EntityWriteResult> commit(EncodedOperation entity, List<EncodedOperation> rows, long until) {
        return write(entities, entity, rows)
                .onErrorResume(
                        PredecessorUnknownException.class,
                        e -> until - now() > PAUSE.toNanos()
                                ? Mono.delay(PAUSE, service.timer()).then(Mono.defer(() -> commit(entity, rows, until)))
                                : Mono.error(e));
    }

    @Override
    public Mono<EntityWriteResult> reference(EncodedOperation operation) {
        return write(references, operation, List.of());
    }

    private Mono<EntityWriteResult> write(
            Batcher<LaneKey, QueuedWrite, EntityWriteResult> writer,
            EncodedOperation first,
            List<EncodedOperation> rows) {
        QueuedWrite item = new QueuedWrite(table.client(), first, rows, counters, terms);
        Mono<EntityWriteResult> written =
                writer.write(service.lane(table.client().table(), first.partitionKey()), item);
        return lingers
                ? Mono.create(sink -> {
                    sink.onDispose(written.subscribe(
                            sink::success, sink::error, sink::success, Context.of(sink.contextView())));
                    if (hurries.get() > 0) {
                        urge(writer);
                    }
                })
                : written;
    }

    @Override
    public <R> Mono<R> look(Mono<R> look) {
        return Mono.usingWhen(
                looks.acquire(PermitPriority.NORMAL, Deadline.in(LONG, service.timer()), service.timer()),
                permit -> look,
                permit -> Mono.fromRunnable(permit::release));
    }

    /** Has what lingers sent, now and until the next call with the opposite. */
    void hurry(boolean begins) {
        if (hurries.addAndGet(begins ? 1 : -1) > 0 && lingers) {
            urge(references);
            urge(entities);
        }
    }

    private static void urge(Batcher<LaneKey, QueuedWrite, EntityWriteResult> writer) {
        Disposable unused = writer.flush().subscribe(report -> {}, closed -> {});
    }

    Mono<Void> closeAsync() {
        return references.closeAsync().then(entities.closeAsync());
    }

    WriterStats figures() {
        return counters.figures();
    }

    private long now() {
        return service.timer().now(TimeUnit.NANOSECONDS);
    }
}
