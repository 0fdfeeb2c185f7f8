package io.stowline.table.internal.operation;

import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.callback.WriteMono;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.table.FlushReport;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.AcceptedWrite;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.internal.writer.WriteAheadLog;
import io.stowline.table.internal.writer.WriteCounters;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.LeakDetector;
import io.stowline.transport.internal.concurrent.UserCode;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A writer over the lanes that all writers of the client share. */
public final class LaneWriter<T> implements WriterOperations<T> {

    /** The end of a writer that is lost without a close, for its warning. */
    public static final String WHEN_LOST =
            "its buffered operations are sent; a journal, and failures that no caller took, stay until the client"
                    + " closes";

    private final TableContext<T> tableContext;
    private final OpenLanes lanes;

    /** A lane of the table, from which those of the operations are made: its name is in lower case. */
    private final LaneKey tableLane;

    public LaneWriter(TableContext<T> context, UnaryOperator<WriterSettings.Builder> settings) {
        this(context, built(settings), null);
    }

    /**
     * Returns a writer for one call of the application: its requests are tried as often and as long as the table allows.
     */
    public static <T> LaneWriter<T> ofCall(TableContext<T> context, UnaryOperator<WriterSettings.Builder> settings) {
        WriterSettings patient =
                built(given -> settings.apply(given).withoutDeliveryTimeout().withoutGivingUp());
        return new LaneWriter<>(context, patient, context.service().termsOfCall(context.operations()));
    }

    private LaneWriter(TableContext<T> context, WriterSettings given, @Nullable DeliveryTerms terms) {
        this(
                within(context, given),
                context.service().lanes().batcher(new LaneSettings(given)),
                new WriteCounters(),
                terms == null ? terms(context, given) : terms,
                null);
    }

    /**
     * A writer of a table within its settings.
     *
     * @param log the log that the operations go through, or {@code null} for none
     */
    LaneWriter(
            TableContext<T> context,
            Batcher<LaneKey, QueuedWrite, WriteResult> batcher,
            WriteCounters counters,
            DeliveryTerms terms,
            @Nullable WriteAheadLog log) {
        this(context, new OpenLanes(context, batcher, counters, terms));
        context.service().opened(batcher, log == null ? null : () -> log.pausedBy() != null);
    }

    private LaneWriter(TableContext<T> context, OpenLanes lanes) {
        this.tableContext = context;
        this.lanes = lanes;
        this.tableLane = LaneKey.of(context.operations().table(), "");
    }

    @Override
    public <R> LaneWriter<R> in(TableMember<R> member) {
        if (member.indexed()) {
            throw new IllegalArgumentException("the rows of "
                    + member.context().codec().typeName(null) + " in the table "
                    + tableContext.operations().table()
                    + " have indexes, which this writer does not keep: open it by the IndexedTable, whose writer takes"
                    + " rows of other types by in(..)");
        }
        return new LaneWriter<>(member.under(tableContext).context(), lanes);
    }

    /** Returns the settings that the application makes of the default ones. */
    public static WriterSettings built(UnaryOperator<WriterSettings.Builder> settings) {
        return Objects.requireNonNull(settings, "settings")
                .apply(WriterSettings.builder())
                .build();
    }

    static <T> DeliveryTerms terms(TableContext<T> context, WriterSettings given) {
        return context.service().terms(within(context, given).operations(), given.deliveryTimeout());
    }

    /**
     * Returns the context with a deadline that a delivery allows. The settings' time for an attempt and for a read-back
     * follows from the deadline; where a delivery leaves less than that after the linger, this is the deadline.
     */
    public static <T> TableContext<T> within(TableContext<T> context, WriterSettings given) {
        RetrySettings retry = context.operations().retry();
        Duration delivery = given.deliveryTimeout();
        if (delivery == null || delivery.minus(given.linger()).compareTo(retry.deadline()) >= 0) {
            return context;
        }
        try {
            return context.with(
                    retry.toBuilder().deadline(delivery.minus(given.linger())).build());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "deliveryTimeout " + delivery + " less linger " + given.linger() + ": " + e.getMessage(), e);
        }
    }

    /** The part of a writer that its views for several types share; it is lost once all of them are. */
    private static final class OpenLanes {

        private final Batcher<LaneKey, QueuedWrite, WriteResult> batcher;
        private final WriteCounters counters;
        private final DeliveryTerms terms;
        private final Cleaner.Cleanable watched;

        OpenLanes(
                TableContext<?> context,
                Batcher<LaneKey, QueuedWrite, WriteResult> batcher,
                WriteCounters counters,
                DeliveryTerms terms) {
            this.batcher = batcher;
            this.counters = counters;
            this.terms = terms;
            this.watched =
                    watch(this, context.service(), batcher, context.operations().table());
        }

        /** Static: the cleaner must not reference the object it watches. */
        private static Cleaner.Cleanable watch(
                OpenLanes lanes,
                TableService service,
                Batcher<LaneKey, QueuedWrite, WriteResult> batcher,
                String table) {
            return LeakDetector.shared()
                    .watch(lanes, "a writer of the table " + table, () -> service.lost(batcher, () -> {}), WHEN_LOST);
        }
    }

    EncodedOperation encode(TableOperation<T, ?> given) {
        return tableContext.encode(given);
    }

    PendingItem<WriteResult> submit(QueuedWrite item) {
        return lanes.batcher.submit(lane(item.operation()), item);
    }

    PendingItem<WriteResult> offer(QueuedWrite item) {
        return lanes.batcher.offer(lane(item.operation()), item);
    }

    Mono<WriteResult> write(QueuedWrite item) {
        return lanes.batcher.write(lane(item.operation()), item);
    }

    @Override
    public Submission<WriteResult> submit(TableOperation<T, ?> given) {
        return AcceptedWrite.of(submit(item(encode(given))));
    }

    @Override
    public Submission<WriteResult> offer(TableOperation<T, ?> given) {
        return AcceptedWrite.of(offer(item(encode(given))));
    }

    @Override
    public Mono<WriteResult> write(TableOperation<T, ?> given) {
        return write(() -> given);
    }

    @Override
    public Mono<WriteResult> write(Supplier<TableOperation<T, ?>> given) {
        return WriteMono.write(lanes.batcher, () -> tagged(given.get()));
    }

    @Override
    public <C> Flux<ItemResult<C, WriteResult>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return WriteFlux.writeAll(lanes.batcher, Flux.from(operations).map(this::tagged))
                .map(WriterOperations::result);
    }

    private <C> TaggedItem<LaneKey, QueuedWrite, C> tagged(TableOperation<T, C> operation) {
        C context = operation.context();
        try {
            EncodedOperation encoded = tableContext.encode(operation);
            return TaggedItem.of(lane(encoded), item(encoded), context);
        } catch (Throwable refusal) {
            return TaggedItem.refused(UserCode.signal(refusal), context);
        }
    }

    @Override
    public Mono<FlushReport> flush() {
        return lanes.batcher.flush().map(WriterOperations::report);
    }

    @Override
    public FlushReport flushAndWait() {
        BlockingAwait.refuseEventLoop();
        return WriterOperations.flushed(lanes.batcher);
    }

    @Override
    public Mono<Void> closeAsync() {
        return Mono.defer(() -> lanes.batcher.closeAsync().doOnTerminate(this::forget));
    }

    @Override
    public void close() {
        try {
            lanes.batcher.close();
        } finally {
            forget();
        }
    }

    /**
     * The watch references the callbacks that the application gave the lanes.batcher, and those may reference this writer.
     */
    private void forget() {
        tableContext.service().closed(lanes.batcher);
        lanes.watched.clean();
    }

    @Override
    public Batcher<LaneKey, QueuedWrite, WriteResult> batcher() {
        return lanes.batcher;
    }

    @Override
    public TableWriter.Stats stats() {
        return lanes.counters.stats();
    }

    private QueuedWrite item(EncodedOperation operation) {
        return new QueuedWrite(tableContext.operations(), operation, lanes.counters, lanes.terms);
    }

    private LaneKey lane(EncodedOperation operation) {
        return tableLane.in(operation.partitionKey());
    }
}
