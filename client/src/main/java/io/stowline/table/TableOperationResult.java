package io.stowline.table;

import io.stowline.batching.internal.callback.TaggedResult;
import java.util.Optional;

/**
 * The result of one operation of {@link ReactiveTableWriter#write}: it was written, or failed. Immutable.
 *
 * @param <C> the type of the context
 */
public final class TableOperationResult<C> {

    private final C context;
    private final TaggedResult<?, EntityWriteResult> result;

    TableOperationResult(TaggedResult<C, EntityWriteResult> result) {
        this(result.tag(), result);
    }

    TableOperationResult(C context, TaggedResult<?, EntityWriteResult> result) {
        this.context = context;
        this.result = result;
    }

    /**
     * Returns what came with the operation.
     *
     * @return the context; null if the operation had none
     */
    public C context() {
        return context;
    }

    /**
     * Returns what the operation left behind.
     *
     * @return what was written
     * @throws RuntimeException the failure of the operation
     */
    public EntityWriteResult written() {
        return result.value();
    }

    /**
     * Returns why the operation was refused or failed.
     *
     * @return the failure; empty if it was written
     */
    public Optional<Throwable> failure() {
        return result.failure();
    }

    @Override
    public String toString() {
        return result.toString();
    }
}
