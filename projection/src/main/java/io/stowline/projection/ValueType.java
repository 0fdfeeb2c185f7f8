package io.stowline.projection;

import static java.util.Map.entry;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The Java types that have a place in the service's type system: the one table behind records, entities and filters. */
enum ValueType {
    STRING(EdmType.STRING),
    BOOLEAN(EdmType.BOOLEAN),
    BYTE(EdmType.INT32),
    SHORT(EdmType.INT32),
    INT(EdmType.INT32),
    LONG(EdmType.INT64),
    FLOAT(EdmType.DOUBLE),
    DOUBLE(EdmType.DOUBLE),
    INSTANT(EdmType.DATETIME),
    OFFSET_DATE_TIME(EdmType.DATETIME),
    GUID(EdmType.GUID),
    BYTES(EdmType.BINARY),
    DURATION(EdmType.STRING),
    ENUM(EdmType.STRING);

    private static final Map<Class<?>, ValueType> BY_CLASS = Map.ofEntries(
            entry(String.class, STRING),
            entry(boolean.class, BOOLEAN),
            entry(Boolean.class, BOOLEAN),
            entry(byte.class, BYTE),
            entry(Byte.class, BYTE),
            entry(short.class, SHORT),
            entry(Short.class, SHORT),
            entry(int.class, INT),
            entry(Integer.class, INT),
            entry(long.class, LONG),
            entry(Long.class, LONG),
            entry(float.class, FLOAT),
            entry(Float.class, FLOAT),
            entry(double.class, DOUBLE),
            entry(Double.class, DOUBLE),
            entry(Instant.class, INSTANT),
            entry(OffsetDateTime.class, OFFSET_DATE_TIME),
            entry(UUID.class, GUID),
            entry(byte[].class, BYTES),
            entry(Duration.class, DURATION));

    private final EdmType edmType;

    ValueType(EdmType edmType) {
        this.edmType = edmType;
    }

    EdmType edmType() {
        return edmType;
    }

    static @Nullable ValueType of(Class<?> type) {
        ValueType known = BY_CLASS.get(type);
        if (known != null) {
            return known;
        }
        return Enum.class.isAssignableFrom(type) && type != Enum.class ? ENUM : null;
    }
}
