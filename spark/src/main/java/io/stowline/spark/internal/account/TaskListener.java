package io.stowline.spark.internal.account;

import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.StowlineListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** The listener of all clients that gives each operation to the counts of the task that it
 * belongs to: those in its Reactor context, else those of the thread that begins it. Thread-safe. */
final class TaskListener implements StowlineListener {

    static final TaskListener INSTANCE = new TaskListener();

    private static final ThreadLocal<@Nullable TaskCounts> CURRENT = new ThreadLocal<>();

    private TaskListener() {}

    static <T> T count(TaskCounts counts, Supplier<T> operation) {
        TaskCounts before = CURRENT.get();
        CURRENT.set(counts);
        try {
            return operation.get();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    @Override
    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        TaskCounts counts = context.getOrDefault(TaskCounts.class, CURRENT.get());
        return counts == null ? OperationListener.NONE : counts.begun();
    }
}
