package io.stowline.advisor;

/** The values beyond which practices count as broken. Their defaults are the figures of Microsoft's articles where these name one. */
public enum Threshold {
    /** Entities per second in one account (A1, T1): 60 % of the target of 20,000. */
    ACCOUNT_ENTITIES(12_000, "entities/s"),
    /** Attempts refused for load (A1, B2, Q1, T1): advice. */
    THROTTLED(1, "of 1,000 attempts"),
    /** Attempts refused for load (A1, B2, Q1, T1, and T6 of one partition): warning. */
    THROTTLED_OFTEN(10, "of 1,000 attempts"),
    /** Writes of partition keys or names of blobs at an end of their range (A2, T5). */
    KEY_ORDER(80, "%"),
    /** Writes per second of a table or container whose keys rise or fall (A2, T5). */
    KEY_ORDER_RATE(500, "writes/s"),
    /** Bytes per second in each part of the window (A3): 80 % of the 100 Mbit/s of a small instance. Set the line of the machine. */
    LINE_BYTES(10_000_000, "bytes/s"),
    /** Attempts without a response (A4): advice. */
    CONNECTION_ERRORS(1, "of 1,000 attempts"),
    /** Attempts without a response (A4): warning. */
    CONNECTION_ERRORS_OFTEN(10, "of 1,000 attempts"),
    /** Time of the fastest tenth of small reads (A5). */
    ROUND_TRIP(20, "ms"),
    /** Reads whose ETag an earlier one had (A8). */
    UNCHANGED_READS(50, "% of reads"),
    /** Uploads of at most 16 KiB per second (A9). */
    SMALL_UPLOADS(10, "uploads/s"),
    /** Clients built in an hour (A10). */
    CLIENTS_BUILT(10, "clients/h"),
    /** Feature version of the Java runtime (A12), as a minimum. */
    JAVA_VERSION(17, ""),
    /** Wait for a permit of the slowest hundredth (A13). */
    PERMIT_WAIT(50, "ms"),
    /** Year of the service version (A14), as a minimum. */
    SERVICE_VERSION(2020, ""),
    /** Time of failed attempts in the time of all (A15). */
    RETRY_TIME(20, "% of the time"),
    /** Attempts that the service refuses and no retry helps (A16). */
    REFUSED(10, "of 1,000 attempts"),
    /** Difference between the clocks of client and service (A16). */
    CLOCK_SKEW(60, "s"),
    /** Reads per second of one blob by one client whose ETag had not changed (B1). */
    HOT_READS(100, "reads/s"),
    /** Requests per second of one blob (B2): 60 % of the target of 500. */
    BLOB_REQUESTS(300, "requests/s"),
    /** Bytes per second of one blob (B2): 60 % of the target of 60 MB. */
    BLOB_BYTES(36_000_000, "bytes/s"),
    /** Uploads of what was downloaded from another container (B3). */
    COPIED_BY_HAND(5, "% of uploads"),
    /** Blob requests that overlap another one during a bulk transfer (B4, B8), as a minimum. */
    TRANSFER_OVERLAP(10, "% of requests"),
    /** Bytes of blobs since the start (B5): the article's terabyte. */
    SHIPPED_BYTES(1_000_000_000_000.0, "bytes"),
    /** Body of one blob request (B7). */
    BLOB_BODY(64 << 20, "bytes"),
    /** Blocks of at most 4 MiB (B10). */
    SHORT_BLOCKS(50, "% of blocks"),
    /** Entities per second of one partition (T6): 60 % of the target of 2,000. */
    PARTITION_ENTITIES(1_200, "entities/s"),
    /** Share of one partition in all attempts at tables that the service refuses for load (T6). */
    PARTITION_SHARE(50, "% of refusals"),
    /** Table scans per minute (T7). */
    TABLE_SCANS(1, "scans/min"),
    /** Queries for one entity by its whole key (T7). */
    POINT_QUERIES(5, "% of queries"),
    /** Entities returned of those scanned by one query (T8, T11), as a minimum: the article's example. */
    DENSITY(1, "% of entities scanned"),
    /** Pages without an entity (T8). */
    EMPTY_PAGES(20, "% of pages"),
    /** Queries per minute that scan for few entities (T11). */
    SPARSE_QUERIES(1, "queries/min"),
    /** Rows of pages with more properties than the Java type has, or of no type, in all rows (T10). */
    WIDE_ROWS(50, "% of rows"),
    /** Bytes of one row of these pages (T10). */
    ROW_BYTES(1_024, "bytes/row"),
    /** Operations of a transaction (T12), as a minimum: a tenth of 100. */
    TRANSACTION_FILL(10, "operations"),
    /** Writes per second from which fill and sharing count (T12, T21). */
    WRITE_RATE(100, "entities/s"),
    /** Single writes that a transaction could have shared, in all written entities (T12). */
    SHARED_WRITES(50, "% of entities"),
    /** Time of single writes to one partition that a transaction could have shared, in the time of one thread (T12, T21): a slow partition never has a rate. */
    SINGLE_WRITE_TIME(20, "% of the time"),
    /** Writes after a read of their entity, or after an insert of it that failed (T13). */
    READ_THEN_WRITE(5, "% of single writes"),
    /** Row keys that are numbers of several lengths (T17). */
    NUMERIC_KEYS(80, "% of row keys"),
    /** Transactions that the service does not end in time (T18). */
    TRANSACTION_TIMEOUTS(1, "% of transactions"),
    /** Body of one entity (T20): 60 % of 1 MiB. */
    ENTITY_BYTES(629_145, "bytes"),
    /** Share of the largest partition in the writes of its table (T21). */
    ONE_PARTITION(90, "% of writes"),
    /** Partitions for each entity written (T21). */
    ONE_ROW_PARTITIONS(90, "% of writes"),
    /** Messages per second of one queue (Q1): 60 % of the target of 2,000. */
    QUEUE_MESSAGES(1_200, "messages/s"),
    /** Body of the largest hundredth of messages (Q3): three quarters of 64 KiB. */
    MESSAGE_BYTES(49_152, "bytes"),
    /** Receives that requested one message and got it (Q4). */
    SINGLE_RECEIVES(50, "% of receives"),
    /** Receives without a message (Q5). */
    EMPTY_RECEIVES(90, "% of receives"),
    /** Receives per second from which receiving counts (Q4, Q5): the article's poll a second. */
    POLL_RATE(1, "receives/s"),
    /** Deliveries whose message was lost to another receiver (Q6). */
    LOST_LEASES(0.1, "% of messages"),
    /** Messages that went to a poison queue (Q7). */
    POISON(0, "messages");

    private final double value;
    private final String unit;

    Threshold(double value, String unit) {
        this.value = value;
        this.unit = unit;
    }

    /**
     * Returns the default.
     *
     * @return the value in its unit
     */
    public double value() {
        return value;
    }

    /**
     * Returns the unit.
     *
     * @return such as {@code entities/s}
     */
    public String unit() {
        return unit;
    }
}
