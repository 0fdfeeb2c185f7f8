package io.stowline.table;

/**
 * The statistics of a writer. They are read one after the other while the writer works, so they need not agree to the last operation.
 *
 * @param operations the operations that were sent and answered, whatever the answer
 * @param requests the HTTP requests that carried them, retries included
 * @param retries how many of the requests were retries
 */
public record WriterStats(long operations, long requests, long retries) {}
