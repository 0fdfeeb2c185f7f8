package io.stowline.examples.registrations;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * The stored summary of an import, for a client that did not see its end.
 *
 * @param day the day of its beginning, such as {@code 2026-11-23}
 * @param id its id
 * @param state its progress
 * @param rows the rows that it has read
 * @param written the rows that are registered now
 * @param rejected the rows that were not registered
 * @param unknown the rows for which nothing proves whether they are
 */
record ImportSummary(
        @PartitionKey String day,
        @RowKey String id,
        ImportState state,
        long rows,
        long written,
        long rejected,
        long unknown) {

    ImportSummary with(ImportReport report) {
        return new ImportSummary(
                day, id, report.state(), report.rows(), report.written(), report.rejected(), report.unknown());
    }
}
