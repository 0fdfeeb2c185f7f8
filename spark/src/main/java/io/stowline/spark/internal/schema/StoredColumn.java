package io.stowline.spark.internal.schema;

import io.stowline.spark.internal.option.AzureTableOptions;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A column of a DataFrame and the property of an entity behind it. Values are converted both ways: as Spark keeps them in rows, and as an
 * {@link io.stowline.table.Entity} keeps them. Immutable.
 *
 * @param name the property's name
 * @param type the column's type
 * @param stored the type of the property
 * @param match the values of entities that it takes
 */
public record StoredColumn(String name, DataType type, StoredType stored, TypeMatch match) implements Serializable {

    /** The times that the service stores. */
    public static final Instant MIN_TIME = Instant.parse("1601-01-01T00:00:00Z");

    /** The first time that the service does not store. */
    public static final Instant TIME_END = Instant.parse("+10000-01-01T00:00:00Z");

    private static final long MICROS = TimeUnit.SECONDS.toMicros(1);
    private static final int NANOS_PER_MICRO = 1_000;
    private static final String TYPES =
            "string, int, long, double, boolean, timestamp, binary, and decimal with the option decimals=text";
    private static final Map<DataType, StoredType> NARROW = Map.of(
            DataTypes.ByteType, StoredType.INT32,
            DataTypes.ShortType, StoredType.INT32,
            DataTypes.FloatType, StoredType.DOUBLE);

    /**
     * Returns the column of a read.
     *
     * @throws IllegalArgumentException if no property has its type
     */
    static StoredColumn read(StructField field, AzureTableOptions options, TypeMatch match) {
        StoredType stored = stored(field, options);
        if (stored == null) {
            throw refused(field, "read as " + TYPES);
        }
        return new StoredColumn(field.name(), field.dataType(), stored, match);
    }

    /**
     * Returns the column of a write. Bytes and shorts become Int32, floats Double.
     *
     * @throws IllegalArgumentException if its values cannot be stored
     */
    static StoredColumn written(StructField field, AzureTableOptions options) {
        StoredType stored = NARROW.getOrDefault(field.dataType(), stored(field, options));
        if (stored == null) {
            throw refused(field, "stored as byte, short, float, " + TYPES);
        }
        return new StoredColumn(field.name(), field.dataType(), stored, TypeMatch.EXACT);
    }

    private static @Nullable StoredType stored(StructField field, AzureTableOptions options) {
        if (options.guidColumns().contains(field.name())) {
            if (!field.dataType().equals(DataTypes.StringType)) {
                throw new IllegalArgumentException("guidColumns: the column " + field.name() + " is "
                        + field.dataType().catalogString() + "; a Guid is a column of type string");
            }
            return StoredType.GUID;
        }
        if (field.dataType() instanceof DecimalType) {
            return options.decimalsAsText() ? StoredType.STRING : null;
        }
        for (StoredType type : StoredType.values()) {
            if (type.column().equals(field.dataType())) {
                return type;
            }
        }
        return null;
    }

    private static IllegalArgumentException refused(StructField field, String allowed) {
        return new IllegalArgumentException("the column " + field.name() + " is of type "
                + field.dataType().catalogString() + "; properties are " + allowed + ". Cast it, or drop it");
    }

    /** Returns whether each entity that has the property has it in the stored type, so that the service can filter by it. */
    public boolean isUniform() {
        return match == TypeMatch.EXACT && !isDecimal();
    }

    private boolean isDecimal() {
        return type instanceof DecimalType;
    }

    /**
     * Returns a value of an entity as Spark keeps it in a row. A time loses its seventh digit: it is rounded down.
     *
     * @throws IllegalArgumentException if the value has another type than the column, naming both
     */
    public Object rowValue(Object value) {
        StoredType found = StoredType.of(value);
        if (!takes(found)) {
            throw new IllegalArgumentException("the column " + name + " is " + type.catalogString() + ", for "
                    + stored.edm() + ", but an entity has " + found.edm() + hint(found));
        }
        return switch (stored) {
            case STRING -> isDecimal() ? decimal((String) value) : UTF8String.fromString(text(value));
            case GUID -> UTF8String.fromString(text(value));
            case INT64 -> (Object) ((Number) value).longValue();
            case DOUBLE -> (Object) ((Number) value).doubleValue();
            case DATE_TIME -> micros((Instant) value);
            case INT32, BOOLEAN, BINARY -> value;
        };
    }

    private boolean takes(StoredType found) {
        return found == stored
                || switch (match) {
                    case EXACT -> false;
                    case COLUMN -> found.column().equals(type);
                    case WIDENED -> isWidened(found);
                };
    }

    private boolean isWidened(StoredType found) {
        return type.equals(DataTypes.StringType)
                || (stored == StoredType.DOUBLE && found.isNumber())
                || (stored == StoredType.INT64 && found == StoredType.INT32);
    }

    private String hint(StoredType found) {
        if (found == StoredType.GUID && stored == StoredType.STRING) {
            return "; name the column in guidColumns";
        }
        return "; make the column a string and set schemaConflicts=widen, or leave the column out";
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : value.toString();
    }

    /** Refuses a number of too many digits before its scale is set, which would write out each zero of a large exponent. */
    private Decimal decimal(String text) {
        DecimalType decimals = (DecimalType) type;
        try {
            BigDecimal value = new BigDecimal(text);
            long whole = (long) value.precision() - value.scale();
            if (value.signum() == 0 || whole <= decimals.precision() - decimals.scale()) {
                return Decimal.apply(value.setScale(decimals.scale()), decimals.precision(), decimals.scale());
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw noDecimal(); // without the failure of the parser, which shows the text
        }
        throw noDecimal();
    }

    private IllegalArgumentException noDecimal() {
        return new IllegalArgumentException("the column " + name + " is " + type.catalogString()
                + ", but an entity has a text that is no such number; make the column a string");
    }

    /** Returns microseconds since 1970, rounded down. */
    public static long micros(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), MICROS), time.getNano() / NANOS_PER_MICRO);
    }

    /** Returns the time of microseconds since 1970. */
    public static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /**
     * Returns a value of a row as an entity keeps it.
     *
     * @param value the value, not null, as {@code InternalRow} has it
     * @throws IllegalArgumentException if the service cannot store it, naming the column
     */
    public Object entityValue(Object value) {
        return switch (stored) {
            case STRING -> isDecimal() ? ((Decimal) value).toJavaBigDecimal().toPlainString() : wellFormed(value);
            case GUID -> guid(wellFormed(value));
            case INT32 -> (Object) ((Number) value).intValue();
            case DOUBLE -> (Object) ((Number) value).doubleValue();
            case DATE_TIME -> storedTime((Long) value);
            case INT64, BOOLEAN, BINARY -> value;
        };
    }

    private String wellFormed(Object value) {
        checkText(name, (UTF8String) value);
        return value.toString();
    }

    /**
     * Refuses a text that is not well-formed: it would become another text, and two of them one key.
     *
     * @throws IllegalArgumentException naming the column
     */
    public static void checkText(String column, UTF8String text) {
        if (!text.isValid()) {
            throw new IllegalArgumentException(
                    "the column " + column + " has a text that is not well-formed UTF-8, which"
                            + " the service cannot store; repair it, for example by make_valid_utf8");
        }
    }

    private UUID guid(String text) {
        try {
            UUID guid = UUID.fromString(text);
            if (guid.toString().equalsIgnoreCase(text)) {
                return guid;
            }
        } catch (IllegalArgumentException e) {
            throw noGuid(text); // without the failure of the parser, which shows the text
        }
        throw noGuid(text);
    }

    private IllegalArgumentException noGuid(String text) {
        return new IllegalArgumentException("the column " + name + " of guidColumns has a text of " + text.length()
                + " characters that is no GUID such as 123e4567-e89b-12d3-a456-426614174000");
    }

    private Instant storedTime(long micros) {
        Instant time = time(micros);
        if (time.isBefore(MIN_TIME) || !time.isBefore(TIME_END)) {
            throw new IllegalArgumentException("the column " + name + " has the time " + time
                    + "; the service stores times from the year 1601 to 9999");
        }
        return time;
    }
}
