package io.stowline.table.internal.codec;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conversion between values of one Java type and entities. Made once per type; thread-safe. */
public interface EntityCodec<T> {

    /**
     * Returns the key of a value's partition.
     *
     * @return its partition key, not yet checked
     */
    String partitionKey(T value);

    /**
     * Returns the key that distinguishes a value from the others in its partition.
     *
     * @return its row key, not yet checked
     */
    String rowKey(T value);

    /**
     * Writes everything but the keys.
     *
     * @param out where to
     */
    void writeProperties(T value, EntityJsonWriter out);

    /**
     * Returns the properties to request from the service.
     *
     * @return their names, or {@code null} for all
     */
    @Nullable
    List<String> select();

    /** Returns the number of properties that the type has, keys included; 0 for a type that takes any. */
    default int mapped() {
        List<String> select = select();
        return select == null ? 0 : select.size();
    }

    /**
     * Returns the lightest metadata level from which this codec can read the response to a point read, whose header has
     * the ETag.
     */
    MetadataLevel metadataLevel();

    /**
     * Returns the lightest metadata level from which this codec can read lists.
     *
     * @return the level, {@link #metadataLevel} unless the values hold their ETags
     */
    default MetadataLevel listLevel() {
        return metadataLevel();
    }

    /**
     * Refuses a condition whose values cannot have the types of this codec's properties.
     *
     * @throws IllegalArgumentException naming the property
     */
    default void check(Filter filter) {}

    /**
     * Begins a condition on a property of this type.
     *
     * @param name the property, by its name in the table unless the type knows better
     * @return what to compare
     * @throws IllegalArgumentException if there can be none of this name
     */
    default FilterProperty property(String name) {
        return Filter.property(name);
    }

    /**
     * Returns the condition that the service must check for queries of this type.
     *
     * @return the condition; empty if all rows are read
     */
    default Optional<Filter> narrowing() {
        return rows();
    }

    /**
     * Returns the condition of the rows of this type among those of others.
     *
     * @return the condition; empty if rows of any form are of this type
     */
    default Optional<Filter> rows() {
        return Optional.empty();
    }

    /** Returns the property by which the rows of this type are known, or {@code null} if their keys suffice. */
    default @Nullable String mark() {
        return null;
    }

    /**
     * Returns whether a row is of this type.
     *
     * @param found its value of the property {@link #mark}, or {@code null}
     */
    default boolean owns(String rowKey, @Nullable Object found) {
        return true;
    }

    /**
     * Refuses a row key that no row of this type has.
     *
     * @throws IllegalArgumentException naming the key and the type
     */
    default void checkKey(String rowKey) {}

    /**
     * Returns the name of a value's type, for messages.
     *
     * @param value the value, or {@code null} for the type of all values
     */
    default String typeName(@Nullable T value) {
        return "entities";
    }

    /**
     * Returns a reader of rows, for one thread at a time.
     *
     * @return a new reader
     */
    RowReader<T> reader();

    /** The metadata of each row beside its values (its page "Payload format for table service operations"). */
    enum MetadataLevel {
        /** No metadata: enough where the Java type knows the types. */
        NONE("application/json;odata=nometadata"),
        /** The types of properties that JSON cannot express. */
        MINIMAL("application/json;odata=minimalmetadata"),
        /** ETags and addresses, too; the only level that promises ETags. */
        FULL("application/json;odata=fullmetadata");

        private final String accept;

        MetadataLevel(String accept) {
            this.accept = accept;
        }

        /**
         * Returns the level as the value of an Accept header.
         *
         * @return such as {@code application/json;odata=nometadata}
         */
        public String accept() {
            return accept;
        }
    }
}
