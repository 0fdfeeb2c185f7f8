package io.stowline.table;

import java.util.Objects;

/**
 * How far a repair of index rows has come, after each partition. A repair that is broken off continues with {@link
 * IndexedTable#repairFrom}.
 *
 * @param partitionKey the partition that was looked at last; the partitions before it are done
 * @param report what the repair has found and done so far
 */
public record RepairProgress(String partitionKey, IndexReport report) {

    /**
     * Holds the progress.
     *
     * @param partitionKey the partition that was looked at last
     * @param report what the repair has found and done so far
     */
    public RepairProgress {
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(report, "report");
    }
}
