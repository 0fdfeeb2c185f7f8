package io.stowline.table.internal.codec;

import io.stowline.outcome.WriteMarkers;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.PropertyLimits;
import io.stowline.table.internal.json.AsciiCopier;
import io.stowline.table.internal.json.ByteBuilder;
import io.stowline.table.internal.json.Decimals;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import io.stowline.transport.StorageLimits;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;

/**
 * A writer of one entity as JSON, which adds up its size by the service's rule, which counts UTF-16 and fixed sizes rather than the
 * bytes on the wire (the service's page "Understanding the table service data model": 1 MiB in all) (decision 34).
 */
public final class EntityJsonWriter {

    /** The most that an entity may measure, by the service's rule. */
    static final int MAX_ENTITY_SIZE = StorageLimits.ENTITY_MAX_BYTES;

    /** A text of Base64 beyond this size gets a separate array. */
    private static final int KEPT_BASE64 = 4 << 10;

    private final ByteBuilder out;
    private byte[] base64 = new byte[0];
    private long size;
    private int properties;

    public EntityJsonWriter(ByteBuilder out) {
        this.out = out;
    }

    /** Clears the buffer for another entity, and returns it. */
    public ByteBuilder cleared() {
        out.clear();
        return out;
    }

    public void begin(String partitionKey, String rowKey) {
        out.ascii("{\"PartitionKey\":").json(partitionKey).ascii(",\"RowKey\":").json(rowKey);
        size = keysSize(partitionKey, rowKey);
        properties = 0;
    }

    /** Returns whether one more property, the marker of a write, stays within the service's limits. */
    public boolean hasRoomForMarker() {
        return hasRoomForMarker(properties, size);
    }

    /** Returns whether an entity of so many properties and this size has room for the marker of a write. */
    public static boolean hasRoomForMarker(int properties, long size) {
        return fits(properties + 1, size + WriteMarker.SIZE);
    }

    /** Returns whether an entity of so many properties and this size stays within the service's limits. */
    public static boolean fits(int properties, long size) {
        return properties <= PropertyLimits.MAX_PROPERTIES && size <= MAX_ENTITY_SIZE;
    }

    /** Returns the size of an entity without properties by the service's rule. */
    public static long keysSize(String partitionKey, String rowKey) {
        return 4 + 2L * (partitionKey.length() + rowKey.length());
    }

    /** Returns the size that a property adds to its entity by the service's rule. */
    public static long propertySize(String name, int valueSize) {
        return 8 + 2L * name.length() + valueSize;
    }

    public void end() {
        PropertyLimits.checkCount(properties);
        out.one('}');
    }

    /** Returns whether the entity is larger than the service allows. */
    public boolean isTooLarge() {
        return size > MAX_ENTITY_SIZE;
    }

    /** Returns the error of an entity that is too large, whose keys only the log may have. */
    public IllegalArgumentException tooLarge(String resource) {
        String measures =
                " measures " + size + " bytes by the service's rule; the limit is " + MAX_ENTITY_SIZE + " (1 MiB)";
        return new IllegalArgumentException(
                "entity " + resource + measures, new InvalidValueException("the entity" + measures));
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the text
     */
    public void string(JsonFieldPrefix prefix, String value) {
        PropertyLimits.check(prefix.name(), value);
        field(prefix, 4 + 2 * value.length());
        try {
            out.json(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("property " + prefix.name() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the truth value
     */
    public void bool(JsonFieldPrefix prefix, boolean value) {
        field(prefix, 1);
        out.ascii(value ? "true" : "false");
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the 32-bit integer
     */
    public void int32(JsonFieldPrefix prefix, int value) {
        field(prefix, 4);
        out.number(value);
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the 64-bit integer
     */
    public void int64(JsonFieldPrefix prefix, long value) {
        field(prefix, 8);
        out.one('"').number(value).one('"');
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     * @param value the floating point number, NaN and the infinities included
     */
    public void doubleValue(JsonFieldPrefix prefix, double value) {
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
     */
    public void dateTime(JsonFieldPrefix prefix, Instant value) {
        field(prefix, 8);
        out.one('"').reserve(EdmDateTime.LENGTH);
        try {
            EdmDateTime.write(value, out.array(), out.position());
            out.advance(EdmDateTime.LENGTH);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("property " + prefix.name() + ": " + e.getMessage(), e);
        }
        out.one('"');
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     */
    public void guid(JsonFieldPrefix prefix, UUID value) {
        field(prefix, 16);
        out.one('"').uuid(value).one('"');
    }

    /**
     * Writes a property.
     *
     * @param prefix what stands before it
     */
    public void binary(JsonFieldPrefix prefix, byte[] value) {
        PropertyLimits.check(prefix.name(), value);
        field(prefix, 4 + value.length);
        int length = 4 * ((value.length + 2) / 3);
        byte[] text = base64(length);
        Base64.getEncoder().encode(value, text);
        out.one('"').raw(text, length).one('"');
    }

    private byte[] base64(int length) {
        if (length > KEPT_BASE64) {
            return new byte[length];
        }
        if (length > base64.length) {
            base64 = new byte[Math.min(KEPT_BASE64, 2 * length)];
        }
        return base64;
    }

    private void field(JsonFieldPrefix prefix, int valueSize) {
        out.raw(prefix.bytes());
        properties++;
        size += propertySize(prefix.name(), valueSize);
    }

    /** The mark of a write in the JSON of an entity: its last property. */
    public static final class WriteMarker {

        private static final int ID_LENGTH = 36;

        /** The size that it adds to an entity by the service's rule: 8 bytes, the name and 4 + the value, in UTF-16. */
        public static final int SIZE = 8 + 2 * WriteMarkers.PROPERTY.length() + 4 + 2 * ID_LENGTH;

        private static final String BEFORE = ",\"" + WriteMarkers.PROPERTY + "\":\"";
        private static final String AFTER = "\"}";

        /** The bytes that it adds to the JSON. */
        public static final int LENGTH = BEFORE.length() + ID_LENGTH + AFTER.length() - 1;

        private WriteMarker() {}

        /** Writes it over the brace that ends the entity, and gives where the entity ends now. */
        public static int write(String id, byte[] target, int end) {
            int at = AsciiCopier.put(BEFORE, target, end - 1);
            return AsciiCopier.put(AFTER, target, AsciiCopier.put(id, target, at));
        }
    }
}
