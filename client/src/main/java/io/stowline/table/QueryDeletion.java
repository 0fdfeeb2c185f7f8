package io.stowline.table;

import io.stowline.batching.ClosedException;
import io.stowline.batching.DeliveryTimeoutException;
import io.stowline.batching.LeftoverException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.table.Query.DeletionReport;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.error.ExceptionCopier;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Deletes what a query finds: keys and ETags are read, one page ahead, and a writer deletes each version in transactions. */
final class QueryDeletion {

    private static final String VERB = "deleteAll";

    private final QueryPlan<Entity> keys;
    private final TableContext<Entity> scope;
    private final long began;
    private volatile DeletionReport report = new DeletionReport(0, 0, 0);
    private volatile boolean found;

    private QueryDeletion(QueryPlan<?> plan) {
        this.keys = plan.keys();
        this.scope = keys.scope().with(keys.codec());
        this.began = now();
    }

    static Mono<DeletionReport> of(QueryPlan<?> plan) {
        return Mono.defer(() -> new QueryDeletion(plan).run());
    }

    private Mono<DeletionReport> run() {
        return Mono.usingWhen(
                        Mono.fromSupplier(
                                () -> new ReactiveTableWriter<>(new LaneWriter<>(scope, settings -> settings))),
                        writer -> writer.write(found()).doOnNext(this::count).then(Mono.fromSupplier(() -> report)),
                        ReactiveTableWriter::close)
                .onErrorMap(ClosedException.class, closed -> found ? cut(closed, resource(), false) : closed)
                .onErrorMap(StorageException.class, this::counted);
    }

    private Flux<TableOperation<Entity, Void>> found() {
        return new ReactiveQuery<>(keys)
                .streamStored()
                .doOnNext(entity -> found = true)
                .map(TableOperation::delete);
    }

    private void count(TableOperation.Result<Void> end) {
        Throwable failure = end.failure().orElse(null);
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

    /** The caller has no writer: the ends of its items are those of the caller's operation. */
    private RuntimeException meaning(Throwable failure) {
        if (failure instanceof LeftoverException leftover) {
            return cut(leftover, resource(leftover.item()), leftover.sent());
        }
        if (failure instanceof DeliveryTimeoutException && failure.getCause() instanceof StorageException last) {
            return last;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }

    /** The failure of a page or of a deletion, as the end of the call: what was deleted before is deleted. */
    private StorageException counted(StorageException failure) {
        FailureDetails facts = failure.failure();
        if (!found || failure instanceof TransactionFailedException) {
            return failure;
        }
        return ExceptionCopier.with(
                failure,
                facts.of(VERB, facts.resource()).saying("; " + report.deleted() + " deletions were confirmed before"));
    }

    /** The end of a call that closing did not wait for any longer. */
    private StorageException cut(RuntimeException cause, String resource, boolean sent) {
        int requests = sent ? 1 : 0;
        String message = sent ? "no response had come" : "this deletion was not sent";
        return ErrorMapper.closed(
                FailureFacts.of(VERB, resource)
                        .tried(requests, requests, Duration.ofNanos(now() - began))
                        .because(message, OperationScope.CLOSED),
                cause);
    }

    private String resource(Object item) {
        return item instanceof QueuedWrite write
                ? resource() + "(" + write.operation().partitionKey() + ", "
                        + write.operation().rowKey() + ")"
                : resource();
    }

    private String resource() {
        return scope.client().table();
    }

    private long now() {
        return scope.service().timer().now(TimeUnit.NANOSECONDS);
    }
}
