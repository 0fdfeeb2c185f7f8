package io.stowline.table;

/**
 * What a writer has sent so far. The numbers are read one after the other while it works on, so they need not fit together to the last
 * operation.
 *
 * @param operations the operations that were sent and answered, whatever the answer
 * @param requests the HTTP requests that carried them, retries included
 * @param retries how many of the requests were retries
 */
public record WriterFigures(long operations, long requests, long retries) {}
