package io.stowline.table;

import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.table.Query.DeletionReport;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Deletes what a query finds: keys and ETags are read, one page ahead, and a writer deletes each version in transactions. */
final class QueryDeletion {

    private QueryDeletion() {}

    static Mono<DeletionReport> of(QueryPlan<?> plan) {
        QueryPlan<Entity> keys = plan.keys();
        TableContext<Entity> scope = keys.scope().with(keys.codec());
        return Mono.usingWhen(
                Mono.fromSupplier(() -> new ReactiveTableWriter<>(new LaneWriter<>(scope, settings -> settings))),
                writer -> writer.write(found(keys)).reduce(new DeletionReport(0, 0, 0), QueryDeletion::counted),
                ReactiveTableWriter::close);
    }

    private static Flux<TableOperation<Entity, Void>> found(QueryPlan<Entity> keys) {
        return new ReactiveQuery<>(keys).streamStored().map(TableOperation::delete);
    }

    private static DeletionReport counted(DeletionReport before, TableOperation.Result<Void> end) {
        Throwable failure = end.failure().orElse(null);
        if (failure == null) {
            return new DeletionReport(before.deleted() + 1, before.changed(), before.missing());
        }
        if (failure instanceof PreconditionFailedException) {
            return new DeletionReport(before.deleted(), before.changed() + 1, before.missing());
        }
        if (failure instanceof NotFoundException missing
                && !"TableNotFound".equals(missing.failure().errorCode())) {
            return new DeletionReport(before.deleted(), before.changed(), before.missing() + 1);
        }
        throw failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }
}
