package io.stowline.advisor.internal.evidence;

/** The counters of all traffic. */
public enum Tally {
    /** Attempts that were sent. */
    ATTEMPTS,
    /** Attempts that ended by throttling, an error of the service, a timeout or a connection. */
    FAILURES,
    /** Attempts that the service refused for load. */
    THROTTLED,
    /** Attempts that the service refused for the load of the account. */
    ACCOUNT_THROTTLED,
    /** Attempts without a readable response. */
    UNANSWERED,
    /** Attempts with a status that no retry changes, but for conditions and absent resources. */
    REFUSED,
    /** Attempts that were not sent: no permit in time, or the circuit breaker was open. */
    HELD_BACK,
    /** Bytes of bodies to the service. */
    BYTES_SENT,
    /** Bytes of bodies from the service. */
    BYTES_RECEIVED,
    /** Nanoseconds of attempts. */
    NANOS,
    /** Nanoseconds of attempts that counted as failures. */
    FAILED_NANOS,
    /** Entities of tables: written, returned and scanned. */
    ENTITIES,
    /** Attempts at tables. */
    TABLE_ATTEMPTS,
    /** Attempts at tables that the service refused for load. */
    TABLE_THROTTLED,
    /** Reads of tables in JSON with little or no metadata. */
    LIGHT_READS,
    /** Reads of tables in another form. */
    HEAVY_READS,
    /** Writes of one entity. */
    SINGLE_WRITES,
    /** Writes of one entity whose partition got another single write within a second. */
    SHARED_WRITES,
    /** Writes of one entity without a condition, after a read or a refused insert of it. */
    DECIDED_WRITES,
    /** Transactions. */
    TRANSACTIONS,
    /** Operations of transactions. */
    TRANSACTION_ENTITIES,
    /** Transactions whose partition got another one within a second. */
    SHARED_TRANSACTIONS,
    /** Transactions that the service did not end in time. */
    TRANSACTION_TIMEOUTS,
    /** Reads of a whole entity or blob without a condition. */
    READS,
    /** Reads whose ETag an earlier one had. */
    UNCHANGED_READS,
    /** Bytes of these reads. */
    UNCHANGED_BYTES,
    /** Pages of queries. */
    PAGES,
    /** Pages of queries that had a continuation. */
    CONTINUED_PAGES,
    /** Pages of queries without an entity. */
    EMPTY_PAGES,
    /** Rows of queries. */
    ROWS,
    /** Bytes of pages of queries. */
    ROW_BYTES,
    /** Rows of pages with more properties than their type has, or without a type. */
    WIDE_ROWS,
    /** Entities that the service refused for their size. */
    SIZE_REFUSALS,
    /** Requests that sent content of blobs. */
    UPLOADS,
    /** Blobs that these requests wrote. */
    BLOBS_WRITTEN,
    /** Blobs of at most 16 KiB. */
    SMALL_BLOBS,
    /** Nanoseconds of requests that sent content of blobs. */
    UPLOAD_NANOS,
    /** Requests of this kind that began before the last one ended. */
    UPLOAD_OVERLAPS,
    /** Requests that received content of blobs. */
    DOWNLOADS,
    /** Nanoseconds of these requests. */
    DOWNLOAD_NANOS,
    /** Requests of this kind that began before the last one ended. */
    DOWNLOAD_OVERLAPS,
    /** Blobs that were uploaded after a download from another container. */
    COPIED_BLOBS,
    /** Requests that sent a body of the length of the last one to the same blob. */
    BLOCKS,
    /** Bodies of this kind of at most 4 MiB. */
    SHORT_BLOCKS,
    /** Bytes of blobs. */
    BLOB_BYTES,
    /** Messages that were sent. */
    SENDS,
    /** Messages that were received. */
    RECEIVED_MESSAGES,
    /** Messages of queues: sent, received, updated and deleted. */
    MESSAGES,
    /** Updates and deletions of messages that another receiver had. */
    STALE_RECEIPTS,
    /** Deliveries to consumers that have ended. */
    DELIVERIES,
    /** Deliveries that the consumer lost. */
    LOST_DELIVERIES,
    /** Messages that went to a poison queue, or should have. */
    POISONED
}
