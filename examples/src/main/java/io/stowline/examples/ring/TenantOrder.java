package io.stowline.examples.ring;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/**
 * An order of a tenant.
 *
 * @param tenant the tenant, which is the placement
 * @param number the order's number
 * @param amount its amount, which later writes change
 */
record TenantOrder(@PartitionKey String tenant, @RowKey String number, long amount) {

    String key() {
        return tenant + "/" + number;
    }
}
