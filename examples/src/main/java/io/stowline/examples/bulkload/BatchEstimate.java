package io.stowline.examples.bulkload;

import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.StorageLimits;
import java.util.HashMap;
import java.util.Map;

/**
 * Estimates how full transactions can be, and how long the service's targets make the load, when rows come in this order: the writer sees
 * as many rows as its buffer holds, and sends those of one partition together. Used by one thread.
 */
final class BatchEstimate {

    // The writer's default buffer.
    private static final int WINDOW_ROWS = 10_000;
    private static final long WINDOW_BYTES = 32L << 20;
    // What a transaction adds to each row: headers, metadata and keys.
    private static final int ROW_OVERHEAD = 500;

    private final ScalabilityTargets targets;
    private final Map<String, long[]> window = new HashMap<>();
    private long windowRows;
    private long windowBytes;
    private long rows;
    private long requests;
    private double seconds;

    BatchEstimate(ScalabilityTargets targets) {
        this.targets = targets;
    }

    void add(String partition, int characters) {
        long bytes = ROW_OVERHEAD + 2L * characters;
        if (windowRows == WINDOW_ROWS || windowBytes + bytes > WINDOW_BYTES) {
            endWindow();
        }
        long[] sums = window.computeIfAbsent(partition, name -> new long[2]);
        sums[0]++;
        sums[1] += bytes;
        windowRows++;
        windowBytes += bytes;
        rows++;
    }

    private void endWindow() {
        long largest = 0;
        for (long[] sums : window.values()) {
            largest = Math.max(largest, sums[0]);
            requests += Math.max(
                    parts(sums[0], StorageLimits.TRANSACTION_MAX_OPERATIONS),
                    parts(sums[1], StorageLimits.TRANSACTION_MAX_BYTES));
        }
        seconds += Math.max(largest / targets.partitionEntities(), windowRows / targets.accountEntities());
        window.clear();
        windowRows = 0;
        windowBytes = 0;
    }

    private static long parts(long whole, long most) {
        return (whole + most - 1) / most;
    }

    /** How many requests the rows so far take. */
    long requests() {
        endWindow();
        return requests;
    }

    /** The mean entities of a request. */
    double fill() {
        endWindow();
        return requests == 0 ? 0 : (double) rows / requests;
    }

    /** The least seconds that the targets leave, in this order of rows. */
    double seconds() {
        endWindow();
        return seconds;
    }
}
