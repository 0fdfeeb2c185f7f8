package io.stowline.table;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyLimits;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.type.StoredForm;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entity without a Java type: two keys and up to 252 named values.
 *
 * <p>Values are kept as {@code String}, {@code Boolean}, {@code Integer}, {@code Long}, {@code Double}, {@code Instant}, {@code UUID}
 * and {@code byte[]}, one Java type for each type of the service. The builder also takes {@code Byte}, {@code Short} (Int32),
 * {@code Float} (Double), {@code OffsetDateTime} (its instant), enums (their name), {@code Duration} (ISO-8601 text),
 * {@code BigDecimal} and {@code BigInteger} (their digits as text), by the rules of {@link io.stowline.projection.EntityType}. Anything else is refused.
 *
 * <p>Immutable and safe to share between threads; only the content of a {@code byte[]} is shared with the caller that passed it.
 */
public final class Entity {

    private final String partitionKey;
    private final String rowKey;
    private final Map<String, Object> properties;
    private final @Nullable Instant timestamp;

    private Entity(String partitionKey, String rowKey, Map<String, Object> properties, @Nullable Instant timestamp) {
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
        this.properties = Collections.unmodifiableMap(properties);
        this.timestamp = timestamp;
    }

    /**
     * Begins an entity.
     *
     * @param partitionKey its partition
     * @param rowKey its key in the partition
     * @return a builder without properties
     * @throws IllegalArgumentException if a key is longer than 1,024 characters or holds what keys forbid
     */
    public static Builder builder(String partitionKey, String rowKey) {
        return new Builder(KeyRules.check("PartitionKey", partitionKey), KeyRules.check("RowKey", rowKey));
    }

    /** Returns an entity as the service sent it, which need not keep the library's rules. */
    /**
     * Returns an entity with its time stamp as a read of the service gives it, for decoders and fakes of a {@link Table}. Keys, names and
     * values are not checked.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @param properties its properties in the types of {@link Builder#set}; not changed afterwards, since the entity keeps this map
     * @param timestamp the time of the last write, or {@code null}
     * @return the entity
     */
    public static Entity read(
            String partitionKey, String rowKey, Map<String, Object> properties, @Nullable Instant timestamp) {
        return new Entity(partitionKey, rowKey, properties, timestamp);
    }

    /**
     * Returns the partition.
     *
     * @return the partition key
     */
    public String partitionKey() {
        return partitionKey;
    }

    /**
     * Returns the key in the partition.
     *
     * @return the row key
     */
    public String rowKey() {
        return rowKey;
    }

    /**
     * Returns all properties but the keys and the time stamp, in the order in which they were set or read.
     *
     * @return an unmodifiable map
     */
    public Map<String, Object> properties() {
        return properties;
    }

    /**
     * Returns one property.
     *
     * @param name its name
     * @return its value, or {@code null} if the entity has none of that name
     */
    public @Nullable Object get(String name) {
        return properties.get(name);
    }

    /**
     * Returns one property of a known type.
     *
     * @param name its name
     * @param type the Java type in which it is kept
     * @param <V> that type
     * @return its value, or {@code null} if the entity has none of that name
     * @throws IllegalArgumentException if it is of another type
     */
    public <V> @Nullable V get(String name, Class<V> type) {
        Object value = properties.get(name);
        if (value != null && !type.isInstance(value)) {
            throw new IllegalArgumentException("property " + name + " is a "
                    + value.getClass().getSimpleName() + ", not a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    /**
     * Returns when the service last wrote it.
     *
     * @return the service's time stamp, or {@code null} for an entity that was not read
     */
    public @Nullable Instant timestamp() {
        return timestamp;
    }

    /**
     * Returns a builder that begins with what this entity has.
     *
     * @return the builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder(partitionKey, rowKey);
        builder.properties.putAll(properties);
        return builder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Entity that
                && partitionKey.equals(that.partitionKey)
                && rowKey.equals(that.rowKey)
                && properties.keySet().equals(that.properties.keySet())
                && properties.entrySet().stream()
                        .allMatch(entry -> Objects.deepEquals(entry.getValue(), that.properties.get(entry.getKey())));
    }

    @Override
    public int hashCode() {
        return Objects.hash(partitionKey, rowKey, properties.keySet());
    }

    @Override
    public String toString() {
        return PrintableText.of("Entity[" + partitionKey + ", " + rowKey + ", " + properties.keySet() + "]");
    }

    /** A builder of entities. Not thread-safe. */
    public static final class Builder {

        private final String partitionKey;
        private final String rowKey;
        private final Map<String, Object> properties = new LinkedHashMap<>();

        private Builder(String partitionKey, String rowKey) {
            this.partitionKey = partitionKey;
            this.rowKey = rowKey;
        }

        /**
         * Sets a property.
         *
         * @param name its name
         * @param value its value; {@code null} takes the property out, since the service stores no nulls
         * @return this builder
         * @throws IllegalArgumentException if the name or the type of the value is not allowed
         */
        public Builder set(String name, @Nullable Object value) {
            PropertyNames.check(name);
            if (value == null) {
                properties.remove(name);
            } else {
                properties.put(name, kept(name, value));
            }
            return this;
        }

        /**
         * Makes the entity.
         *
         * @return the entity
         * @throws IllegalArgumentException if it has more than 252 properties
         */
        public Entity build() {
            PropertyLimits.checkCount(properties.size());
            return new Entity(partitionKey, rowKey, new LinkedHashMap<>(properties), null);
        }

        private static Object kept(String name, Object value) {
            if (EdmType.of(value) == null) {
                throw new IllegalArgumentException("property " + name + " has a value of type "
                        + value.getClass().getName()
                        + "; allowed are String, Boolean, Byte, Short, Integer, Long, Float, Double, BigDecimal,"
                        + " BigInteger, Instant, OffsetDateTime, UUID, byte[], Duration and enums");
            }
            return StoredForm.ofValue(value);
        }
    }
}
