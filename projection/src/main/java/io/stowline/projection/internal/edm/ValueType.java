package io.stowline.projection.internal.edm;

import static java.util.Map.entry;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The Java types that have a place in the service's type system: the one table behind records, entities and filters. */
public enum ValueType {
    STRING(EdmType.STRING),
    BOOLEAN(EdmType.BOOLEAN),
    BYTE(EdmType.INT32, Byte.MIN_VALUE, Byte.MAX_VALUE),
    SHORT(EdmType.INT32, Short.MIN_VALUE, Short.MAX_VALUE),
    INT(EdmType.INT32, Integer.MIN_VALUE, Integer.MAX_VALUE),
    LONG(EdmType.INT64, Long.MIN_VALUE, Long.MAX_VALUE),
    FLOAT(EdmType.DOUBLE),
    DOUBLE(EdmType.DOUBLE),
    INSTANT(EdmType.DATETIME),
    OFFSET_DATE_TIME(EdmType.DATETIME),
    GUID(EdmType.GUID),
    BYTES(EdmType.BINARY),
    DURATION(EdmType.STRING),
    LOCAL_DATE(EdmType.STRING),
    ENUM(EdmType.STRING),
    BIG_DECIMAL(EdmType.STRING),
    BIG_INTEGER(EdmType.STRING);

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
            entry(Duration.class, DURATION),
            entry(LocalDate.class, LOCAL_DATE),
            entry(BigDecimal.class, BIG_DECIMAL),
            entry(BigInteger.class, BIG_INTEGER));

    private final EdmType edmType;
    private final long min;
    private final long max;

    ValueType(EdmType edmType) {
        this(edmType, 0, -1);
    }

    ValueType(EdmType edmType, long min, long max) {
        this.edmType = edmType;
        this.min = min;
        this.max = max;
    }

    public EdmType edmType() {
        return edmType;
    }

    /** Returns whether the stored values sort as the Java ones do; a UUID's order in Java is that of signed halves. */
    public boolean ordered() {
        return switch (this) {
            case BOOLEAN, GUID, DURATION, ENUM, BIG_DECIMAL, BIG_INTEGER -> false;
            case STRING, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, INSTANT, OFFSET_DATE_TIME, LOCAL_DATE, BYTES -> true;
        };
    }

    /** Returns the value as the one Java class that the service knows for its type. */
    public Object stored(Object value) {
        return switch (this) {
            case STRING, BOOLEAN, INT, LONG, DOUBLE, INSTANT, GUID, BYTES -> value;
            case BYTE, SHORT -> ((Number) value).intValue();
            case FLOAT -> ((Number) value).doubleValue();
            case OFFSET_DATE_TIME -> ((OffsetDateTime) value).toInstant();
            case DURATION, BIG_INTEGER -> value.toString();
            case LOCAL_DATE -> TextParsers.localDate((LocalDate) value);
            case BIG_DECIMAL -> TextParsers.decimal((BigDecimal) value);
            case ENUM -> ((Enum<?>) value).name();
        };
    }

    /** Returns the stored form of a number of another class without a loss, or else null. */
    public @Nullable Object widened(Object value) {
        if (isComplete(value)) {
            long whole = ((Number) value).longValue();
            if (whole >= min && whole <= max) {
                return edmType == EdmType.INT32 ? (Object) (int) whole : (Object) whole;
            }
        }
        boolean exact = value instanceof Float || (isComplete(value) && !(value instanceof Long));
        return this == DOUBLE && exact ? ((Number) value).doubleValue() : null;
    }

    private static boolean isComplete(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    public static @Nullable ValueType of(Class<?> type) {
        ValueType known = BY_CLASS.get(type);
        if (known != null) {
            return known;
        }
        return Enum.class.isAssignableFrom(type) && type != Enum.class ? ENUM : null;
    }
}
