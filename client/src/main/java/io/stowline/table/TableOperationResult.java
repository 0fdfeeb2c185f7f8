package io.stowline.table;

import io.stowline.batching.TaggedResult;
import java.util.Optional;

/**
 * What became of one operation of {@link ReactiveTableWriter#write}: it was written, or failed. Immutable.
 *
 * @param <C> the type of the context
 */
public final class TableOperationResult<C> {

    private final C context;
    private final TaggedResult<?, Written> result;

    TableOperationResult(TaggedResult<C, Written> result) {
        this(result.tag(), result);
    }

    TableOperationResult(C context, TaggedResult<?, Written> result) {
        this.context = context;
        this.result = result;
    }

    /**
     * What came with the operation.
     *
     * @return the context; null if the operation had none
     */
    public C context() {
        return context;
    }

    /**
     * What the operation left behind.
     *
     * @return what was written
     * @throws RuntimeException the failure of the operation
     */
    public Written written() {
        return result.value();
    }

    /**
     * Why the operation was refused or failed.
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
