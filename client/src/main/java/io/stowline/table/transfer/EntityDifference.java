package io.stowline.table.transfer;

import io.stowline.error.internal.PrintableText;
import io.stowline.table.Entity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A difference between the two sides of a comparison: an entity that one of them lacks, or whose properties differ in a name, a type or a
 * value. {@code Timestamp} and markers of writes are no part of it.
 *
 * @param kind where the entity is
 * @param partitionKey the entity's partition
 * @param rowKey its key there
 * @param properties the names of the properties that differ, sorted; empty unless both sides have the entity
 * @param first the entity of the first side, if it has one
 * @param second the entity of the second side, if it has one
 */
public record EntityDifference(
        Kind kind,
        String partitionKey,
        String rowKey,
        List<String> properties,
        Optional<Entity> first,
        Optional<Entity> second) {

    /** The kind of a difference. */
    public enum Kind {
        /** Only the first side has the entity. */
        ONLY_IN_FIRST,
        /** Only the second side has the entity. */
        ONLY_IN_SECOND,
        /** Both sides have the entity, with different properties. */
        DIFFERENT
    }

    /**
     * Keeps a copy of the names.
     *
     * @param kind where the entity is
     * @param partitionKey the entity's partition
     * @param rowKey its key there
     * @param properties the names of the properties that differ
     * @param first the entity of the first side, if it has one
     * @param second the entity of the second side, if it has one
     */
    public EntityDifference {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(rowKey, "rowKey");
        properties = List.copyOf(properties);
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
    }

    /** Returns the kind, the keys and the names of the properties; values are not shown. */
    @Override
    public String toString() {
        return PrintableText.of(
                "EntityDifference[" + kind + ", " + partitionKey + ", " + rowKey + ", " + properties + "]");
    }
}
