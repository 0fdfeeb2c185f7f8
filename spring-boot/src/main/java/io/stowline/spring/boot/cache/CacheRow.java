package io.stowline.spring.boot.cache;

import io.stowline.table.Entity;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The form of an entry as an entity: its expiry, and its bytes in properties of 64 KiB. An entry without bytes is null. */
final class CacheRow {

    /** The property with the time at which an entry expires. */
    static final String EXPIRES = "Expires";

    /** Bytes of a property. */
    private static final int CHUNK = 64 * 1024;

    /** An entity has 1 MiB, names and keys included. */
    private static final int MAX_CHUNKS = 15;

    private CacheRow() {}

    static Entity of(
            String cache, String partitionKey, String rowKey, byte @Nullable [] value, @Nullable Instant expires) {
        Entity.Builder row = Entity.builder(partitionKey, rowKey).set(EXPIRES, expires);
        if (value != null) {
            if (value.length > CHUNK * MAX_CHUNKS) {
                throw new IllegalArgumentException("a value of the cache '" + cache + "' has " + value.length
                        + " bytes; the limit is " + CHUNK * MAX_CHUNKS + " (960 KiB), as an entity has 1 MiB");
            }
            for (int from = 0; from < value.length; from += CHUNK) {
                row.set(name(from / CHUNK), Arrays.copyOfRange(value, from, Math.min(value.length, from + CHUNK)));
            }
        }
        return row.build();
    }

    /** Returns the bytes of an entry; null for null. */
    static byte @Nullable [] value(Entity row) {
        byte[] chunk = row.get(name(0), byte[].class);
        if (chunk == null) {
            return null;
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream(chunk.length);
        for (int i = 1; chunk != null; i++) {
            value.writeBytes(chunk);
            chunk = row.get(name(i), byte[].class);
        }
        return value.toByteArray();
    }

    static boolean isExpired(Entity row, Instant now) {
        Instant expires = row.get(EXPIRES, Instant.class);
        return expires != null && !now.isBefore(expires);
    }

    static @Nullable Instant expiry(@Nullable Duration timeToLive, Instant now) {
        return timeToLive == null ? null : now.plus(timeToLive);
    }

    private static String name(int chunk) {
        return "Value" + chunk;
    }
}
