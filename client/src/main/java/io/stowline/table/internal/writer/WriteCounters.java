package io.stowline.table.internal.writer;

import io.stowline.table.TableWriter;
import java.util.concurrent.atomic.LongAdder;

/** Counts what one writer sends. Thread-safe. */
public final class WriteCounters {

    private final LongAdder operations = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private volatile boolean begun;

    /** Operations begin to be sent. */
    void begin() {
        begun = true;
    }

    /**
     * Whether anything was about to be sent.
     *
     * @return false while nothing has gone out
     */
    public boolean begun() {
        return begun;
    }

    /** Operations that so many attempts have carried. */
    void carried(int some, int attempts) {
        operations.add(some);
        requests.add(attempts);
        retries.add(Math.max(0, attempts - 1));
    }

    /** The numbers as they are now. */
    public TableWriter.Stats stats() {
        return new TableWriter.Stats(operations.sum(), requests.sum(), retries.sum());
    }
}
