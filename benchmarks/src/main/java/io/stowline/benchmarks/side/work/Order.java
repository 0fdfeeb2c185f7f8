package io.stowline.benchmarks.side.work;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import java.time.Instant;

/**
 * An entity of ten properties, about 1 KB.
 *
 * @param partition its partition
 * @param row its key there
 * @param customer a text
 * @param address a text
 * @param items a text
 * @param comment a text
 * @param carrier a text
 * @param quantity a number of 32 bits
 * @param number a number of 64 bits
 * @param total a fraction
 * @param paid a truth
 * @param placed a time
 */
public record Order(
        @PartitionKey String partition,
        @RowKey String row,
        String customer,
        String address,
        String items,
        String comment,
        String carrier,
        int quantity,
        long number,
        double total,
        boolean paid,
        Instant placed) {

    /**
     * Two of the ten.
     *
     * @param customer a text
     * @param quantity a number of 32 bits
     */
    public record Brief(String customer, int quantity) {}
}
