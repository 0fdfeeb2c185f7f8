package io.stowline.spark.internal.schema;

import java.time.Instant;
import java.util.UUID;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The type of a property's value, as the service stores it. */
public enum StoredType {
    STRING("Edm.String", String.class),
    INT32("Edm.Int32", Integer.class),
    INT64("Edm.Int64", Long.class),
    DOUBLE("Edm.Double", Double.class),
    BOOLEAN("Edm.Boolean", Boolean.class),
    DATE_TIME("Edm.DateTime", Instant.class),
    GUID("Edm.Guid", UUID.class),
    BINARY("Edm.Binary", byte[].class);

    private final String edm;
    private final Class<?> javaType;

    StoredType(String edm, Class<?> javaType) {
        this.edm = edm;
        this.javaType = javaType;
    }

    /** Returns the type of a value of an entity. */
    public static StoredType of(Object value) {
        for (StoredType type : values()) {
            if (type.javaType.isInstance(value)) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "no property has values of " + value.getClass().getName());
    }

    /** Returns its name in the service. */
    public String edm() {
        return edm;
    }

    /** Returns the type of a column of such values. */
    public DataType column() {
        return switch (this) {
            case STRING, GUID -> DataTypes.StringType;
            case INT32 -> DataTypes.IntegerType;
            case INT64 -> DataTypes.LongType;
            case DOUBLE -> DataTypes.DoubleType;
            case BOOLEAN -> DataTypes.BooleanType;
            case DATE_TIME -> DataTypes.TimestampType;
            case BINARY -> DataTypes.BinaryType;
        };
    }

    /** Returns whether its values are numbers. */
    boolean isNumber() {
        return this == INT32 || this == INT64 || this == DOUBLE;
    }
}
