package io.stowline.examples.checkup;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * A runner at the finish line, as both programs store it.
 *
 * @param bucket the partition
 * @param bib the runner's number
 * @param name the runner's name
 * @param seconds the time
 * @param notes a text that few readers need
 */
record Finish(@PartitionKey String bucket, @RowKey String bib, String name, int seconds, String notes) {

    /** The properties that a list of results needs. */
    record Line(@PartitionKey String bucket, @RowKey String bib, String name, int seconds) {}

    private static final String NOTES = "A text that a list of results does not show. ".repeat(26);

    static Finish of(String bucket, String bib, int number) {
        return new Finish(bucket, bib, "Runner " + number, 8_000 + number, NOTES);
    }
}
