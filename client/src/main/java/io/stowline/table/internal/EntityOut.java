package io.stowline.table.internal;

import io.stowline.projection.EdmDateTime;
import io.stowline.projection.PropertyLimits;
import io.stowline.transport.StorageLimits;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Writes one entity as JSON and adds up its size by the service's own rule, which counts UTF-16 and fixed sizes rather than the
 * bytes on the wire (the service's page "Understanding the table service data model": 1 MiB in all).
 */
public final class EntityOut {

    /** The most that an entity may measure, by the service's rule. */
    static final int MAX_ENTITY_SIZE = StorageLimits.ENTITY_MAX_BYTES;

    private final WireBytes out;
    private long size;
    private int properties;

    EntityOut(WireBytes out) {
        this.out = out;
    }

    /** The buffer, emptied for another entity. */
    WireBytes cleared() {
        out.clear();
        return out;
    }

    void begin(String partitionKey, String rowKey) {
        out.ascii("{\"PartitionKey\":").json(partitionKey).ascii(",\"RowKey\":").json(rowKey);
        size = 4 + 2L * (partitionKey.length() + rowKey.length());
        properties = 0;
    }

    /** Whether one more property, the mark of a write, stays within the service's limits. */
    boolean hasRoomForMark() {
        return properties < PropertyLimits.MAX_PROPERTIES && size + Mark.SIZE <= MAX_ENTITY_SIZE;
    }

    void end(Supplier<String> resource) {
        PropertyLimits.checkCount(properties);
        out.one('}');
        if (size > MAX_ENTITY_SIZE) {
            throw new IllegalArgumentException("entity " + resource.get() + " measures " + size
                    + " bytes by the service's rule; the limit is " + MAX_ENTITY_SIZE + " (1 MiB)");
        }
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the text
     */
    public void string(FieldPrefix prefix, String value) {
        PropertyLimits.check(prefix.name(), value);
        field(prefix, 4 + 2 * value.length());
        try {
            out.json(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("property " + prefix.name() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the truth value
     */
    public void bool(FieldPrefix prefix, boolean value) {
        field(prefix, 1);
        out.ascii(value ? "true" : "false");
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the 32-bit integer
     */
    public void int32(FieldPrefix prefix, int value) {
        field(prefix, 4);
        out.number(value);
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the 64-bit integer
     */
    public void int64(FieldPrefix prefix, long value) {
        field(prefix, 8);
        out.one('"').number(value).one('"');
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the floating point number, NaN and the infinities included
     */
    public void doubleValue(FieldPrefix prefix, double value) {
        field(prefix, 8);
        if (Double.isFinite(value)) {
            Decimals.write(value, out);
        } else {
            out.one('"').ascii(Double.toString(value)).one('"');
        }
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the time
     */
    public void dateTime(FieldPrefix prefix, Instant value) {
        field(prefix, 8);
        out.one('"').reserve(EdmDateTime.LENGTH);
        try {
            EdmDateTime.write(value, out.array(), out.position());
            out.advance(EdmDateTime.LENGTH);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("property " + prefix.name() + ": " + e.getMessage(), e);
        }
        out.one('"');
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the UUID
     */
    public void guid(FieldPrefix prefix, UUID value) {
        field(prefix, 16);
        out.one('"').uuid(value).one('"');
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the bytes
     */
    public void binary(FieldPrefix prefix, byte[] value) {
        PropertyLimits.check(prefix.name(), value);
        field(prefix, 4 + value.length);
        out.one('"').raw(Base64.getEncoder().encode(value)).one('"');
    }

    private void field(FieldPrefix prefix, int valueSize) {
        out.raw(prefix.bytes());
        properties++;
        size += 8 + 2L * prefix.name().length() + valueSize;
    }
}
