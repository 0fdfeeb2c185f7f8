package io.stowline.table.internal.operation;

import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.error.StorageException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.retry.RetrySettings;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.FlushReport;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.TableWriter.ReplayReport;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.writer.AcceptedWrite;
import io.stowline.table.internal.writer.JournaledWriter;
import io.stowline.table.internal.writer.LaneSettings;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.internal.writer.WriteCounters;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.LeakDetector;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A writer over the lanes that all writers of the client share, with or without a journal. */
public final class LaneWriter<T> implements WriterOperations<T> {

    /** The end of a writer that is lost without a close, for its warning. */
    public static final String WHEN_LOST =
            "what it holds is sent; a journal, and failures that no caller took, stay until the client closes";

    private final TableContext<T> tableContext;
    private final Batcher<LaneKey, QueuedWrite, EntityWriteResult> batcher;
    private final WriteCounters counters = new WriteCounters();
    private final DeliveryTerms terms;
    private final @Nullable JournaledWriter journaled;
    private final Cleaner.Cleanable watched;

    public LaneWriter(TableContext<T> context, UnaryOperator<WriterSettings.Builder> settings) {
        this(context, settings, null);
    }

    /** A writer for one call of the application: its requests are tried as often and as long as the table says. */
    public static <T> LaneWriter<T> ofCall(TableContext<T> context) {
        WriterSettings patient = WriterSettings.builder()
                .withoutDeliveryTimeout()
                .withoutGivingUp()
                .build();
        return new LaneWriter<>(context, patient, null, context.service().termsOfCall(context.operations()));
    }

    public LaneWriter(
            TableContext<T> context, UnaryOperator<WriterSettings.Builder> settings, @Nullable WriterJournal journal) {
        this(
                context,
                Objects.requireNonNull(settings, "settings")
                        .apply(WriterSettings.builder())
                        .build(),
                journal,
                null);
    }

    private LaneWriter(
            TableContext<T> context,
            WriterSettings given,
            @Nullable WriterJournal journal,
            @Nullable DeliveryTerms terms) {
        this.tableContext = within(context, given);
        this.terms = terms == null
                ? context.service().terms(this.tableContext.operations(), given.deliveryTimeout())
                : terms;
        this.batcher = context.service().lanes().batcher(new LaneSettings(journal == null ? given : given.endless()));
        this.journaled = journal == null
                ? null
                : new JournaledWriter(
                        RecordJournal.of(journal.journal()),
                        context.service(),
                        this.tableContext.operations(),
                        batcher,
                        counters);
        context.service().opened(batcher, journaled);
        this.watched =
                watch(this, context.service(), batcher, context.operations().table());
    }

    /**
     * What the settings keep for an attempt and for a look follows from the deadline. Where a delivery leaves less than that after the
     * linger, this is the deadline.
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

    /** Apart, so that what is watched cannot be held by the watching. */
    private static Cleaner.Cleanable watch(
            LaneWriter<?> writer,
            TableService service,
            Batcher<LaneKey, QueuedWrite, EntityWriteResult> batcher,
            String table) {
        return LeakDetector.shared()
                .watch(writer, "a writer of the table " + table, () -> service.lost(batcher, () -> {}), WHEN_LOST);
    }

    @Override
    public Submission<EntityWriteResult> submit(TableOperation<T, ?> given) {
        EncodedOperation operation = tableContext.encode(given);
        return new AcceptedWrite(
                journaled == null
                        ? batcher.submit(lane(operation), item(operation))
                        : journaled.submit(operation, item -> batcher.submit(lane(operation), item)));
    }

    @Override
    public Submission<EntityWriteResult> offer(TableOperation<T, ?> given) {
        EncodedOperation operation = tableContext.encode(given);
        return new AcceptedWrite(
                journaled == null
                        ? batcher.offer(lane(operation), item(operation))
                        : journaled.submit(operation, item -> batcher.offer(lane(operation), item)));
    }

    @Override
    public Mono<EntityWriteResult> write(TableOperation<T, ?> given) {
        return WriterOperations.encoded(() -> tableContext.encode(given)).flatMap(this::write);
    }

    private Mono<EntityWriteResult> write(EncodedOperation operation) {
        return journaled == null
                ? batcher.write(lane(operation), item(operation))
                : journaled.write(operation, item -> batcher.write(lane(operation), item));
    }

    @Override
    public <C> Flux<TableOperation.Result<C>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return journaled == null
                ? WriteFlux.writeAll(batcher, Flux.from(operations).map(this::tagged))
                        .map(OperationResult::new)
                : new JournaledStream<>(tableContext, batcher, journaled).writeAll(operations);
    }

    private <C> TaggedItem<LaneKey, QueuedWrite, C> tagged(TableOperation<T, C> operation) {
        C context = operation.context();
        try {
            EncodedOperation encoded = tableContext.encode(operation);
            return TaggedItem.of(lane(encoded), item(encoded), context);
        } catch (Throwable refusal) {
            return TaggedItem.refused(refusal, context);
        }
    }

    @Override
    public Mono<FlushReport> flush() {
        Mono<FlushReport> flushed = batcher.flush().map(WriterOperations::report);
        return journaled == null ? flushed : journaled.opened().then(flushed);
    }

    @Override
    public FlushReport flushAndWait() {
        BlockingAwait.refuseEventLoop();
        if (journaled != null) {
            BlockingAwait.on(journaled.opened());
        }
        return WriterOperations.flushed(batcher);
    }

    @Override
    public Mono<ReplayReport> replayed() {
        return journaled == null ? Mono.just(NO_REPLAY) : journaled.replays().report();
    }

    @Override
    public Mono<Void> closeAsync() {
        return Mono.defer(() -> {
            releaseAtTheEnd();
            return batcher.closeAsync().doOnTerminate(this::closed);
        });
    }

    @Override
    public void close() {
        releaseAtTheEnd();
        try {
            batcher.close();
        } finally {
            forget();
            release();
        }
    }

    /** A close within a callback does not wait, nor does one that is given up; the journal is in use until the end. */
    private void releaseAtTheEnd() {
        if (journaled != null) {
            batcher.closeAsync().doOnTerminate(this::release).subscribe(nothing -> {}, failures -> {});
        }
    }

    /** Releases the journal before the end is signalled: the next writer may be opened at once. */
    private void release() {
        if (journaled != null && batcher.isClosed()) {
            journaled.close();
        }
    }

    /** The watch holds what the application gave the batcher, and that may hold this writer. */
    private void forget() {
        tableContext.service().closed(batcher);
        watched.clean();
    }

    private void closed() {
        forget();
        release();
    }

    @Override
    public Optional<StorageException> pausedBy() {
        return journaled == null ? Optional.empty() : Optional.ofNullable(journaled.pausedBy());
    }

    @Override
    public List<RejectedOperation> rejected() {
        return journaled == null ? List.of() : journaled.rejected().operations();
    }

    @Override
    public void discardRejected(long id) {
        if (journaled != null) {
            journaled.rejected().discard(id);
        }
    }

    @Override
    public Batcher<LaneKey, QueuedWrite, EntityWriteResult> batcher() {
        return batcher;
    }

    @Override
    public TableWriter.Stats stats() {
        return counters.stats();
    }

    private QueuedWrite item(EncodedOperation operation) {
        return new QueuedWrite(tableContext.operations(), operation, counters, terms);
    }

    private LaneKey lane(EncodedOperation operation) {
        return tableContext.service().lane(tableContext.operations().table(), operation.partitionKey());
    }
}
