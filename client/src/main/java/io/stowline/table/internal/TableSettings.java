package io.stowline.table.internal;

import io.stowline.outcome.Marking;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.Reads;

/**
 * What a view of a table may narrow.
 *
 * @param retry how its operations are tried
 * @param marking which writes leave a mark
 * @param reads where its reads go
 * @param scans what becomes of queries that scan it
 */
record TableSettings(RetrySettings retry, Marking marking, Reads reads, ScanGuard scans) {}
