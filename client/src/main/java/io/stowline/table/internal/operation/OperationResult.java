package io.stowline.table.internal.operation;

import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.TableOperation;
import java.util.Optional;

/** A {@link TableOperation.Result} of a writer's item. */
public record OperationResult<C>(TaggedResult<C, WriteResult> result) implements TableOperation.Result<C> {

    @Override
    public C context() {
        return result.tag();
    }

    @Override
    public WriteResult written() {
        return result.value();
    }

    @Override
    public Optional<Throwable> failure() {
        return result.failure();
    }

    @Override
    public String toString() {
        return result.toString();
    }
}
