package io.stowline.projection.internal.edm;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The eight property types of the table service.
 *
 * <p>The names and ranges are those of the service's payload format (Microsoft Learn, "Payload format for Table service
 * operations"). {@link ValueType} has the Java types that belong to each.
 *
 * <p>Immutable and safe for use by many threads.
 */
public enum EdmType {
    /** UTF-16 text of at most 64 KiB. */
    STRING("Edm.String"),
    /** {@code true} or {@code false}. */
    BOOLEAN("Edm.Boolean"),
    /** A 32-bit integer. */
    INT32("Edm.Int32"),
    /** A 64-bit integer; text in JSON. */
    INT64("Edm.Int64"),
    /** A 64-bit floating point number. */
    DOUBLE("Edm.Double"),
    /** A UTC instant in steps of 100 ns, from the year 1601 to 9999; see {@link EdmDateTime}. */
    DATETIME("Edm.DateTime"),
    /** A UUID. */
    GUID("Edm.Guid"),
    /** Bytes, at most 64 KiB; base64 text in JSON. */
    BINARY("Edm.Binary");

    private static final EdmType[] TYPES = values();

    private final String wireName;

    EdmType(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name that stands in a type annotation on the wire, such as {@code Edm.Int64}. */
    public String wireName() {
        return wireName;
    }

    /**
     * Returns the type that a type annotation names.
     *
     * @param wireName a name such as {@code Edm.Guid}; case matters
     * @return the type, or null for a name that is none of the eight
     */
    public static @Nullable EdmType ofWireName(String wireName) {
        Objects.requireNonNull(wireName, "wireName");
        for (EdmType type : TYPES) {
            if (type.wireName.equals(wireName)) {
                return type;
            }
        }
        return null;
    }

    /**
     * Returns the type in which a value is stored.
     *
     * @param value a value of a supported Java type
     * @return its type, or null when values of its class are not supported
     */
    public static @Nullable EdmType of(Object value) {
        Objects.requireNonNull(value, "value");
        return ofClass(value.getClass());
    }

    /**
     * Returns the type in which values of a class are stored.
     *
     * @param type a class, a primitive one included
     * @return its type, or null when the class is not supported
     */
    public static @Nullable EdmType ofClass(Class<?> type) {
        Objects.requireNonNull(type, "type");
        ValueType value = ValueType.of(type);
        return value == null ? null : value.edmType();
    }
}
