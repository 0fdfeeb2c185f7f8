package io.stowline.benchmarks.side.work;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import java.time.Instant;
import java.util.UUID;

/**
 * An entity of ten properties, about 1 KB, of many types.
 *
 * @param station its partition
 * @param row its key there
 * @param id a UUID
 * @param sample bytes
 * @param taken a time
 * @param sensor a text
 * @param place a text
 * @param note a text
 * @param quality a number of 32 bits
 * @param number a number of 64 bits
 * @param value a fraction
 * @param valid a truth
 */
@SuppressWarnings("ArrayRecordComponent") // readings are never compared
public record Reading(
        @PartitionKey String station,
        @RowKey String row,
        UUID id,
        byte[] sample,
        Instant taken,
        String sensor,
        String place,
        String note,
        int quality,
        long number,
        double value,
        boolean valid) {}
