package io.stowline.projection.internal.type;

import io.stowline.projection.ETag;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.PropertyBag;
import io.stowline.projection.RowKey;
import io.stowline.projection.Timestamp;
import io.stowline.projection.internal.edm.PropertyNames;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The role of a component that is not a property. A type has each of them once, and never in a nested value. */
public enum SystemProperty {
    PARTITION_KEY(PartitionKey.class, PropertyNames.PARTITION_KEY, "a key; a key is a String"),
    ROW_KEY(RowKey.class, PropertyNames.ROW_KEY, "a key; a key is a String"),
    TIMESTAMP(Timestamp.class, PropertyNames.TIMESTAMP, "a timestamp; it is an Instant or an OffsetDateTime"),
    ETAG(ETag.class, null, "an ETag; it is a String"),
    BAG(PropertyBag.class, null, "a property bag; it is a Map<String, Object>");

    private final Class<? extends Annotation> mark;
    private final @Nullable String property;
    private final String rule;

    SystemProperty(Class<? extends Annotation> mark, @Nullable String property, String rule) {
        this.mark = mark;
        this.property = property;
        this.rule = rule;
    }

    public Class<? extends Annotation> mark() {
        return mark;
    }

    /** Returns whether its values are sent, and not only filled on reading. */
    boolean written() {
        return this != TIMESTAMP && this != ETAG;
    }

    /** Returns the name of the service's property, or null where the role has none. */
    @Nullable
    String property() {
        return property;
    }

    /** Throws {@code IllegalArgumentException} with the reason for a type that this role does not have. */
    public void check(Type declared) {
        if (!allows(declared)) {
            throw new IllegalArgumentException(declared.getTypeName() + " cannot be " + rule);
        }
    }

    private boolean allows(Type type) {
        return switch (this) {
            case PARTITION_KEY, ROW_KEY, ETAG -> type == String.class;
            case TIMESTAMP -> type == Instant.class || type == OffsetDateTime.class;
            case BAG -> isBag(type);
        };
    }

    private static boolean isBag(Type type) {
        return type instanceof ParameterizedType map
                && map.getRawType() == Map.class
                && map.getActualTypeArguments()[0] == String.class
                && map.getActualTypeArguments()[1] == Object.class;
    }
}
