package io.stowline.spark.internal.account;

import io.stowline.observe.AttemptReason;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.AttemptEnd;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The counts of one task, on the operations that it begins. The client is shared, so that an operation belongs to the task whose thread
 * begins it. Thread-safe.
 */
public final class TaskCounts implements OperationListener {

    private final LongAdder requests = new LongAdder();
    private final LongAdder operations = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder throttles = new LongAdder();

    /**
     * Begins an operation for which this task counts.
     *
     * @param operation begins it in the calling thread
     * @return the operation's result
     */
    public <T> T count(Supplier<T> operation) {
        return TaskListener.count(this, operation);
    }

    /** Returns the listener of an operation of the task. */
    OperationListener begun() {
        operations.increment();
        return this;
    }

    @Override
    public void onRequestEnd(RequestEnd request) {
        requests.increment();
        retries.add(Math.max(0, request.attempts().size() - 1));
        for (AttemptEnd attempt : request.attempts()) {
            switch (AttemptReason.of(attempt, request.existenceCheck())) {
                case THROTTLED_PARTITION, THROTTLED_ACCOUNT -> throttles.increment();
                default -> {}
            }
        }
    }

    /** Returns the operations that have begun. */
    public long operations() {
        return operations.sum();
    }

    /** Returns the requests that have ended, all attempts of one together; of queries these are pages. */
    public long requests() {
        return requests.sum();
    }

    /** Returns the attempts after the first ones. */
    public long retries() {
        return retries.sum();
    }

    /** Returns the attempts that the service throttled. */
    public long throttles() {
        return throttles.sum();
    }
}
