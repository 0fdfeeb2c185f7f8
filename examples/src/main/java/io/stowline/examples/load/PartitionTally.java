package io.stowline.examples.load;

import io.stowline.transport.StorageLimits;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tally of rows by partition in bounded memory, by the algorithm of Misra and Gries: up to its capacity the counts are exact; beyond it each
 * may be too low by {@link #error}, and no partition with more rows than that is missing. Used by one thread.
 */
final class PartitionTally {

    /** The most partitions that are counted. */
    static final int CAPACITY = 50_000;

    private final int capacity;
    private final Map<String, Long> counts = new HashMap<>();
    private long error;

    /** A partition and its rows. */
    record Count(String partition, long rows) {}

    PartitionTally(int capacity) {
        this.capacity = capacity;
    }

    void add(String partition) {
        if (counts.size() < capacity || counts.containsKey(partition)) {
            counts.merge(partition, 1L, Long::sum);
        } else {
            error++;
            counts.replaceAll((name, rows) -> rows - 1);
            counts.values().removeIf(rows -> rows == 0);
        }
    }

    /** Returns the largest error of a count; 0 while all partitions are counted. */
    long error() {
        return error;
    }

    /** Returns how many partitions are counted. */
    int size() {
        return counts.size();
    }

    long rows(String partition) {
        return counts.getOrDefault(partition, 0L);
    }

    /** Returns the partitions with the most rows, the largest first. */
    List<Count> largest(int max) {
        return counts.entrySet().stream()
                .map(entry -> new Count(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(Count::rows).reversed().thenComparing(Count::partition))
                .limit(max)
                .toList();
    }

    /** Returns the fewest transactions that can hold the counted rows. */
    long fewestRequests() {
        int max = StorageLimits.TRANSACTION_MAX_OPERATIONS;
        return counts.values().stream()
                .mapToLong(rows -> (rows + max - 1) / max)
                .sum();
    }
}
