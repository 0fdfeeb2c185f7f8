package io.stowline.table.internal;

import java.util.Locale;

/**
 * What one entity group transaction can hold: one partition of one table. Table names are the same in any case.
 *
 * @param table the table's name in lower case
 * @param partitionKey the partition
 */
public record LaneKey(String table, String partitionKey) {

    static LaneKey of(String table, String partitionKey) {
        return new LaneKey(table.toLowerCase(Locale.ROOT), partitionKey);
    }
}
