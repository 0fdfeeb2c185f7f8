package io.stowline.spark.internal.account;

import io.stowline.observe.AttemptReason;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.AttemptEnd;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import reactor.util.context.Context;

/**
 * The counts of one task, on the operations that it begins with a client that other tasks use, too. Thread-safe.
 */
public final class TaskCounts implements OperationListener {

    private final LongAdder requests = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder throttles = new LongAdder();
    private int running;

    /**
     * Begins a blocking operation for which this task counts.
     *
     * @param operation begins it in the calling thread
     * @return the operation's result
     */
    public <T> T count(Supplier<T> operation) {
        return TaskListener.count(this, operation);
    }

    /** Returns the Reactor context of operations for which this task counts, whatever thread begins them. */
    public Context context() {
        return Context.of(TaskCounts.class, this);
    }

    /** Returns the listener of an operation of the task. */
    synchronized OperationListener begun() {
        running++;
        return this;
    }

    @Override
    public synchronized void onOperationEnd(OperationEnd end) {
        running--;
        notifyAll();
    }

    /**
     * Waits until the ends of all operations are counted: their results come a little before. An interrupt ends the wait.
     *
     * @param max the time after which the counts do without them
     */
    public synchronized void awaitEnds(Duration max) {
        long end = System.nanoTime() + max.toNanos();
        long left = max.toMillis();
        try {
            while (running > 0 && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
