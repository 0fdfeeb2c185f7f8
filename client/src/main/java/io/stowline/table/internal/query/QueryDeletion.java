package io.stowline.table.internal.query;

import io.stowline.error.ClosedException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.LeftoverException;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.operation.DefaultReactiveTableWriter;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.transport.internal.concurrent.CancelledCalls;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.error.ExceptionCopier;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** A deletion of what a query finds: keys and ETags are read, one page ahead, and a writer deletes each version in transactions. */
final class QueryDeletion {

    private static final String VERB = "deleteAll";

    private final QueryPlan<Entity> keys;
    private final TableContext<Entity> context;
    private final long began;
    private volatile DeletionReport report = new DeletionReport(0, 0, 0);
    private final AtomicLong found = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private volatile @Nullable ReactiveTableWriter<Entity> writer;

    private QueryDeletion(QueryPlan<?> plan) {
        this.keys = plan.keys();
        this.context = keys.context().with(keys.codec());
        this.began = now();
    }

    static Mono<DeletionReport> of(QueryPlan<?> plan) {
        return Mono.defer(() -> new QueryDeletion(plan).run());
    }

    private Mono<DeletionReport> run() {
        return Mono.deferContextual(caller -> Mono.usingWhen(
                        Mono.fromSupplier(this::opened),
                        writer -> writer.write(found()).doOnNext(this::count).then(Mono.fromSupplier(() -> report)),
                        ReactiveTableWriter::close)
                .onErrorMap(ClosedException.class, closed -> found.get() > 0 ? cut(closed, resource(), false) : closed)
                .onErrorMap(StorageException.class, this::counted)
                .doFinally(end -> {
                    if (end == SignalType.CANCEL) {
                        CancelledCalls.note(caller, this::interrupted);
                    }
                }));
    }

    private ReactiveTableWriter<Entity> opened() {
        ReactiveTableWriter<Entity> opened =
                new DefaultReactiveTableWriter<>(LaneWriter.ofCall(context, settings -> settings));
        writer = opened;
        return opened;
    }

    private Flux<TableOperation<Entity, Void>> found() {
        return new DefaultReactiveQuery<>(keys)
                .streamStored()
                .doOnNext(entity -> found.incrementAndGet())
                .map(TableOperation::delete);
    }

    private void count(ItemResult<Void, WriteResult> end) {
        ended.incrementAndGet();
        Throwable failure = end.error();
        if (failure == null) {
            report = new DeletionReport(report.deleted() + 1, report.changed(), report.missing());
        } else if (failure instanceof PreconditionFailedException) {
            report = new DeletionReport(report.deleted(), report.changed() + 1, report.missing());
        } else if (failure instanceof NotFoundException missing
                && !"TableNotFound".equals(missing.failure().errorCode())) {
            report = new DeletionReport(report.deleted(), report.changed(), report.missing() + 1);
        } else {
            throw meaning(failure);
        }
    }

    /** The facts of a call whose thread was interrupted, after the writer has taken back the deletions that were not sent. */
    private FailureDetails interrupted() {
        ReactiveTableWriter<Entity> used = writer;
        long before = used == null ? 0 : used.stats().requests();
        boolean inFlight = used != null && isInFlight(used, before);
        String message = inFlight ? "no response had come to a deletion" : "no deletion was in flight";
        return failure(resource(), (int) before + (inFlight ? 1 : 0), inFlight)
                .because(message + confirmed(), OperationScope.INTERRUPTED);
    }

    /** A result on its way here is neither buffered nor counted, so that behind a request only the end of all deletions is certain. */
    private boolean isInFlight(ReactiveTableWriter<Entity> used, long requests) {
        return found.get() != ended.get() && (used.bufferedItems() + used.undeliveredItems() > 0 || requests > 0);
    }

    /** The caller has no writer: the ends of its items are those of the caller's operation. */
    private RuntimeException meaning(Throwable failure) {
        if (failure instanceof LeftoverException leftover) {
            return cut(leftover, resource(leftover.item()), leftover.sent());
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }

    /** The failure of a page or of a deletion ends the call: earlier deletions stay. */
    private StorageException counted(StorageException failure) {
        FailureDetails details = failure.failure();
        if (found.get() == 0 || failure instanceof TransactionFailedException) {
            return failure;
        }
        return ExceptionCopier.with(
                failure, details.of(VERB, details.resource()).saying(confirmed()));
    }

    private String confirmed() {
        return "; " + report.deleted() + " deletions were confirmed before";
    }

    /** The end of a call that closing has stopped waiting for. */
    private StorageException cut(RuntimeException cause, String resource, boolean sent) {
        String message = sent ? "no response had come" : "this deletion was not sent";
        return ErrorMapper.closed(failure(resource, sent ? 1 : 0, sent).because(message, OperationScope.CLOSED), cause);
    }

    private FailureFacts failure(String resource, int requests, boolean inFlight) {
        return FailureFacts.of(VERB, resource).tried(requests, inFlight ? 1 : 0, Duration.ofNanos(now() - began));
    }

    private String resource(Object item) {
        return item instanceof QueuedWrite write
                ? resource() + "(" + write.operation().partitionKey() + ", "
                        + write.operation().rowKey() + ")"
                : resource();
    }

    private String resource() {
        return context.operations().table();
    }

    private long now() {
        return context.service().timer().now(TimeUnit.NANOSECONDS);
    }
}
