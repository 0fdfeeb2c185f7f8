package io.stowline.table.internal;

import io.stowline.transport.internal.Answer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One page of a query as it came, to be decoded by whoever wants the rows.
 *
 * @param answer the service's answer
 * @param next where the next page begins, or {@code null} at the end
 * @param counted is told how many rows it has, once they are decoded
 */
public record Page(Answer answer, @Nullable Continuation next, IntConsumer counted) {

    /**
     * A page whose rows are not counted.
     *
     * @param answer the service's answer
     * @param next where the next page begins, or {@code null} at the end
     */
    public Page(Answer answer, @Nullable Continuation next) {
        this(answer, next, rows -> {});
    }
}
