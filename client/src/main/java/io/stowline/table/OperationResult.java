package io.stowline.table;

import io.stowline.batching.internal.callback.TaggedResult;
import java.util.Optional;

/** A {@link TableOperation.Result} of a writer's item. */
record OperationResult<C>(TaggedResult<C, EntityWriteResult> result) implements TableOperation.Result<C> {

    @Override
    public C context() {
        return result.tag();
    }

    @Override
    public EntityWriteResult written() {
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
