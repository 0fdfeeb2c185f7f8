package io.stowline.table.internal.writer;

import io.stowline.table.TableWriter;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one writer's requests. Thread-safe. */
public final class WriteCounters {

    private final LongAdder operations = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private volatile boolean begun;

    /** Records that operations begin to be sent. */
    void begin() {
        begun = true;
    }

    /**
     * Returns whether operations were about to be sent.
     *
     * @return false while nothing has gone out
     */
    public boolean begun() {
        return begun;
    }

    /** Counts operations with the attempts that carried them. */
    void carried(int some, int attempts) {
        operations.add(some);
        requests.add(attempts);
        retries.add(Math.max(0, attempts - 1));
    }

    /** Returns the present numbers. */
    public TableWriter.Stats stats() {
        return new TableWriter.Stats(operations.sum(), requests.sum(), retries.sum());
    }
}
