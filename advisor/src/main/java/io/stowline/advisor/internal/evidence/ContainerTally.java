package io.stowline.advisor.internal.evidence;

/** The counters of one table, queue or container. */
public enum ContainerTally {
    /** Attempts. */
    ATTEMPTS,
    /** Attempts that the service refused for load. */
    THROTTLED,
    /** Entities or messages. */
    UNITS,
    /** Entities or blobs that were written. */
    WRITES,
    /** Microseconds of writes of one entity that a transaction could have shared. */
    SHARED_MICROS,
    /** Writes at the highest key of the range. */
    AT_END,
    /** Writes at the lowest key of the range. */
    AT_START,
    /** Keys above all before. */
    RISES,
    /** Keys below all before. */
    FALLS,
    /** Writes to partitions that no recent write had. */
    NEW_PARTITIONS,
    /** Row keys. */
    ROW_KEYS,
    /** Row keys that are numbers without a leading zero. */
    NUMERIC_KEYS,
    /** Receives. */
    RECEIVES,
    /** Receives without a message. */
    EMPTY_RECEIVES,
    /** Receives that requested one message and got it. */
    SINGLE_RECEIVES
}
