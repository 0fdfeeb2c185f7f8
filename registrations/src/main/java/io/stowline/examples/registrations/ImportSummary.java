package io.stowline.examples.registrations;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * What the service keeps of an import, for a client that did not see its end.
 *
 * @param day the day of its beginning, such as {@code 2026-11-23}
 * @param id its id
 * @param state how far it has come
 * @param rows how many rows it has read
 * @param written how many of them are registered now
 * @param rejected how many were not registered
 * @param unknown for how many nothing proves whether they are
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
