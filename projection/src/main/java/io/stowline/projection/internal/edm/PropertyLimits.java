package io.stowline.projection.internal.edm;

import io.stowline.projection.InvalidValueException;
import java.util.Objects;

/**
 * The limits of an entity's properties.
 *
 * <p>A string is at most 64 KiB of UTF-16, a binary value at most 64 KiB, and an entity has at most 255 properties, of
 * which {@code PartitionKey}, {@code RowKey} and {@code Timestamp} are three (Microsoft Learn, "Understanding the Table
 * service data model").
 *
 * <p>Stateless and safe for use by many threads.
 */
public final class PropertyLimits {

    /** The most UTF-16 characters of a string property. */
    public static final int MAX_STRING_CHARS = 32_768;

    /** The most bytes of a binary property. */
    public static final int MAX_BINARY_BYTES = 65_536;

    /** The most properties of an entity beside the three of the service. */
    public static final int MAX_PROPERTIES = 252;

    private PropertyLimits() {}

    /**
     * Checks the size of a string.
     *
     * @param property the property's name, for the error message
     * @throws InvalidValueException if it is longer than {@link #MAX_STRING_CHARS}
     */
    public static void check(String property, String value) {
        Objects.requireNonNull(property, "property");
        Objects.requireNonNull(value, "value");
        if (value.length() > MAX_STRING_CHARS) {
            throw new InvalidValueException("property " + property + ": " + value.length()
                    + " UTF-16 characters; the limit is " + MAX_STRING_CHARS + " (64 KiB)");
        }
    }

    /**
     * Checks the size of a binary value.
     *
     * @param property the property's name, for the error message
     * @throws InvalidValueException if there are more than {@link #MAX_BINARY_BYTES}
     */
    public static void check(String property, byte[] value) {
        Objects.requireNonNull(property, "property");
        Objects.requireNonNull(value, "value");
        if (value.length > MAX_BINARY_BYTES) {
            throw new InvalidValueException("property " + property + ": " + value.length + " bytes; the limit is "
                    + MAX_BINARY_BYTES + " (64 KiB)");
        }
    }

    /**
     * Checks the number of properties of an entity.
     *
     * @param count the number of properties beside keys and timestamp
     * @throws InvalidValueException if there are more than {@link #MAX_PROPERTIES}
     */
    public static void checkCount(int count) {
        if (count > MAX_PROPERTIES) {
            throw new InvalidValueException("entity: " + count + " properties; the limit is " + MAX_PROPERTIES
                    + " beside PartitionKey, RowKey and Timestamp");
        }
    }
}
