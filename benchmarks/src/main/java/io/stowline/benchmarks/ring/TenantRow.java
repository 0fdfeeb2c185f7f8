package io.stowline.benchmarks.ring;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * An entity of a tenant.
 *
 * @param tenant the partition
 * @param row the row
 * @param product a text of 24 characters
 * @param number a number
 * @param price another number
 */
record TenantRow(@PartitionKey String tenant, @RowKey String row, String product, int number, double price) {

    static TenantRow of(long partition, int row) {
        return new TenantRow("tenant-" + partition, "order-" + row, "a product of 24 letters.", row, row / 100.0);
    }
}
