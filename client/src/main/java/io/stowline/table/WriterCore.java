package io.stowline.table;

import io.stowline.batching.Batcher;
import io.stowline.batching.BatcherSettings;
import io.stowline.batching.FlushReport;
import io.stowline.batching.Submission;
import io.stowline.batching.Tagged;
import io.stowline.batching.WaitInterruptedException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.JournalLine;
import io.stowline.table.internal.LaneItem;
import io.stowline.table.internal.LaneKey;
import io.stowline.table.internal.TableService;
import io.stowline.table.internal.WriteCounters;
import io.stowline.transport.internal.Await;
import io.stowline.transport.internal.LeakWatch;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What both faces of a writer stand on: a batcher over the lanes that all writers of the client share. */
final class WriterCore<T> {

    private final TableScope<T> scope;
    private final Batcher<LaneKey, LaneItem, Written> batcher;
    private final WriteCounters counters = new WriteCounters();
    private final @Nullable JournalLine line;
    private final Cleaner.Cleanable watched;

    WriterCore(TableScope<T> scope, UnaryOperator<BatcherSettings.Builder> settings) {
        this(scope, settings, null);
    }

    WriterCore(TableScope<T> scope, UnaryOperator<BatcherSettings.Builder> settings, @Nullable WriterJournal journal) {
        Objects.requireNonNull(settings, "settings");
        BatcherSettings given = settings.apply(BatcherSettings.builder()).build();
        this.scope = within(scope, given);
        this.batcher = scope.service().lanes().batcher(journal == null ? given : given.endless());
        this.line = journal == null
                ? null
                : new JournalLine(journal.journal(), scope.service(), this.scope.client(), batcher, counters);
        scope.service().opened(batcher, line);
        this.watched = watch(this, scope.service(), batcher, scope.client().table());
    }

    /**
     * What the settings keep for an attempt and for a look follows from the deadline. Where a delivery leaves less than that after the
     * linger, this is the deadline.
     */
    private static <T> TableScope<T> within(TableScope<T> scope, BatcherSettings given) {
        RetrySettings retry = scope.client().retry();
        Duration delivery = given.deliveryTimeout();
        if (delivery == null || delivery.minus(given.linger()).compareTo(retry.deadline()) >= 0) {
            return scope;
        }
        try {
            return scope.with(
                    retry.toBuilder().deadline(delivery.minus(given.linger())).build());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "deliveryTimeout " + delivery + " less linger " + given.linger() + ": " + e.getMessage(), e);
        }
    }

    /** Apart, so that what is watched cannot be held by the watching. */
    private static Cleaner.Cleanable watch(
            WriterCore<?> writer, TableService service, Batcher<LaneKey, LaneItem, Written> batcher, String table) {
        return LeakWatch.shared().watch(writer, "a writer of the table " + table, () -> service.isOpen(batcher));
    }

    TableScope<T> scope() {
        return scope;
    }

    /** Waits for room. */
    Submission<Written> submit(EncodedOperation operation) {
        return line == null
                ? batcher.submit(lane(operation), item(operation))
                : line.submit(operation, item -> batcher.submit(lane(operation), item));
    }

    /** Refuses when there is no room. */
    Submission<Written> offer(EncodedOperation operation) {
        return line == null
                ? batcher.offer(lane(operation), item(operation))
                : line.submit(operation, item -> batcher.offer(lane(operation), item));
    }

    /** Waits for room without a thread. */
    Mono<Written> write(EncodedOperation operation) {
        return line == null
                ? batcher.write(lane(operation), item(operation))
                : line.write(operation, item -> batcher.write(lane(operation), item));
    }

    /** What the application's code throws, as an error of the subscription: an error that Reactor takes for fatal would be told to nobody. */
    static Mono<EncodedOperation> encoded(Supplier<EncodedOperation> operation) {
        try {
            return Mono.just(operation.get());
        } catch (Throwable refusal) {
            return Mono.error(refusal);
        }
    }

    /** Takes what a publisher gives; what cannot be encoded comes back as refused. */
    <C> Flux<TableOperationResult<C>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        return line == null
                ? batcher.writeAll(Flux.from(operations).map(this::tagged)).map(TableOperationResult::new)
                : new JournaledStream<>(scope, batcher, line).writeAll(operations);
    }

    private <C> Tagged<LaneKey, LaneItem, C> tagged(TableOperation<T, C> operation) {
        C context = operation.context();
        try {
            EncodedOperation encoded = operation.encode(scope);
            return Tagged.of(lane(encoded), item(encoded), context);
        } catch (Throwable refusal) {
            return Tagged.refused(refusal, context);
        }
    }

    Mono<FlushReport> flush() {
        return line == null ? batcher.flush() : line.opened().then(batcher.flush());
    }

    /** Waits on the caller's thread, which the callback threads cannot keep from it. */
    FlushReport flushAndWait() {
        Await.refuseEventLoop();
        if (line != null) {
            Await.on(line.opened());
        }
        try {
            return batcher.flushAndWait();
        } catch (WaitInterruptedException e) {
            throw new StorageInterruptedException(
                    Objects.requireNonNull(e.getMessage()), new InterruptedException(), null);
        }
    }

    /** What became of what was in the journal. */
    Mono<ReplayReport> replayed() {
        return line == null ? Mono.just(ReplayReport.NOTHING) : line.replays().report();
    }

    Mono<Void> closeAsync() {
        return Mono.defer(() -> {
            releaseAtTheEnd();
            return batcher.closeAsync().doOnTerminate(this::closed);
        });
    }

    void close() {
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
        if (line != null) {
            batcher.closeAsync().doOnTerminate(this::release).subscribe(nothing -> {}, failures -> {});
        }
    }

    /** Before anybody is told of the end: the next writer may be opened at once. */
    private void release() {
        if (line != null && batcher.isClosed()) {
            line.close();
        }
    }

    /** The watch holds what the application gave the batcher, and that may hold this writer. */
    private void forget() {
        scope.service().closed(batcher);
        watched.clean();
    }

    private void closed() {
        forget();
        release();
    }

    Optional<StorageException> pausedBy() {
        return line == null ? Optional.empty() : Optional.ofNullable(line.pausedBy());
    }

    List<RejectedOperation> rejected() {
        return line == null ? List.of() : line.rejected();
    }

    void discardRejected(long id) {
        if (line != null) {
            line.discard(id);
        }
    }

    /** Both wait for the disk. */
    Mono<List<RejectedOperation>> rejectedAsync() {
        return Mono.fromCallable(this::rejected).subscribeOn(Schedulers.boundedElastic());
    }

    Mono<Void> discardRejectedAsync(long id) {
        return Mono.<Void>fromRunnable(() -> discardRejected(id)).subscribeOn(Schedulers.boundedElastic());
    }

    Batcher<LaneKey, LaneItem, Written> batcher() {
        return batcher;
    }

    WriterFigures figures() {
        return counters.figures();
    }

    private LaneItem item(EncodedOperation operation) {
        return new LaneItem(scope.client(), operation, counters);
    }

    private LaneKey lane(EncodedOperation operation) {
        return scope.service().lane(scope.client().table(), operation.partitionKey());
    }
}
