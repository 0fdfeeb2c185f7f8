package io.stowline.table.internal.index;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.GateTimeoutException;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.operation.LaneSettings;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.internal.writer.WriteCounters;
import io.stowline.transport.internal.request.BatchOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The steps of many writes together: entities with their copies through one writer, references through another, reads a few at a time.
 * Results are handed on by the threads that have them. Thread-safe.
 */
final class GroupedWrites implements IndexedWrite.WritePath {

    private static final int MAX_READ_BACKS = 32;

    /** The wait of a write for the next check whether one of unknown outcome can still arrive. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofDays(365);

    private static final Object DELIVERY = "stowline-look-delivery";

    private final TableContext<?> table;
    private final TableService service;
    private final DeliveryTerms terms;
    private final Batcher<LaneKey, QueuedWrite, WriteResult> entities;
    private final Batcher<LaneKey, QueuedWrite, WriteResult> references;
    private final WriteCounters counters = new WriteCounters();
    private final Gate readBacks = Gate.fixed(MAX_READ_BACKS);
    private final Duration timeout;
    private final boolean lingers;
    private final AtomicInteger hurries = new AtomicInteger();

    /**
     * Opens the writers of the steps.
     *
     * @param repeated whether a step that is refused with the whole table is sent again
     */
    GroupedWrites(IndexedContext<?> context, WriterSettings given, boolean repeated) {
        this.table = LaneWriter.within(context.primary(), given);
        this.service = table.service();
        this.terms = repeated
                ? service.termsOfSteps(table.operations(), given.deliveryTimeout())
                : service.terms(table.operations(), given.deliveryTimeout());
        Duration delivery = given.deliveryTimeout();
        this.timeout = delivery == null ? LONG : delivery;
        this.lingers = !given.linger().isZero();
        LaneSettings steps = new LaneSettings(steps(given));
        this.entities = service.lanes().batcher(steps);
        this.references = service.lanes().batcher(steps);
    }

    /** The application's settings for results apply to those of the whole write. */
    private static WriterSettings steps(WriterSettings given) {
        WriterSettings.Builder steps = WriterSettings.builder()
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
    public Mono<List<WriteResult>> commit(List<EncodedOperation> operations) {
        EncodedOperation entity = operations.get(0);
        List<EncodedOperation> rows = operations.subList(1, operations.size());
        return Mono.defer(() -> commit(
                        entity,
                        rows,
                        now() + table.operations().retry().deadline().toNanos()))
                .map(List::of);
    }

    /** A write behind one of unknown outcome, which is refused, waits until that one can no longer arrive. */
    private Mono<WriteResult> commit(EncodedOperation entity, List<EncodedOperation> rows, long until) {
        return write(entities, entity, rows)
                .onErrorResume(
                        PredecessorUnknownException.class,
                        e -> until - now() > PAUSE.toNanos()
                                ? service.pause(PAUSE).then(Mono.defer(() -> commit(entity, rows, until)))
                                : Mono.error(e));
    }

    @Override
    public Mono<WriteResult> reference(EncodedOperation operation) {
        return write(references, operation, List.of());
    }

    private Mono<WriteResult> write(
            Batcher<LaneKey, QueuedWrite, WriteResult> writer, EncodedOperation first, List<EncodedOperation> rows) {
        QueuedWrite item = new QueuedWrite(table.operations(), first, rows, counters, terms);
        Mono<WriteResult> written = writer.write(LaneKey.of(table.operations().table(), first.partitionKey()), item);
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

    /**
     * Returns the rows of a type with the settings of the writer, and with reads that are tried until their time is over, as the writing
     * steps are.
     *
     * @throws IllegalArgumentException if they are rows of another table or client
     */
    <T> IndexedContext<T> steps(IndexedContext<T> indexedContext) {
        IndexedContext<T> rows = indexedContext.under(table);
        return rows.stepwise(rows.context().stepwise(context -> context.get(DELIVERY)));
    }

    /** Runs a read; the read and the wait for its turn have the time of a delivery. */
    @Override
    public <R> Mono<R> readBack(Mono<R> readBack) {
        return Mono.defer(() -> {
            Deadline deadline = Deadline.in(timeout, service.timer());
            return Mono.usingWhen(
                            readBacks.acquire(PermitPriority.NORMAL, deadline, service.timer()),
                            permit -> readBack,
                            permit -> Mono.fromRunnable(permit::release))
                    .contextWrite(context -> context.put(DELIVERY, BatchOptions.until(deadline, timeout)))
                    .onErrorMap(e -> ended(e));
        });
    }

    private Throwable ended(Throwable e) {
        boolean late = e instanceof GateTimeoutException
                || e instanceof DeadlineExceededException
                || e instanceof UnreachableException
                || e instanceof ThrottledException
                || e instanceof ServerErrorException;
        return late
                ? new DeliveryTimeoutException(
                        "not delivered: the time for a read of the entity or of its index rows was " + timeout + "; "
                                + e.getMessage(),
                        timeout,
                        e)
                : e;
    }

    /** Has what lingers sent, now and until the next call with the opposite. */
    void hurry(boolean begins) {
        if (hurries.addAndGet(begins ? 1 : -1) > 0 && lingers) {
            urge(references);
            urge(entities);
        }
    }

    private static void urge(Batcher<LaneKey, QueuedWrite, WriteResult> writer) {
        Disposable unused = writer.flush().subscribe(report -> {}, closed -> {});
    }

    Mono<Void> closeAsync() {
        return references.closeAsync().then(entities.closeAsync());
    }

    TableWriter.Stats stats() {
        return counters.stats();
    }

    private long now() {
        return service.timer().now(TimeUnit.NANOSECONDS);
    }
}
