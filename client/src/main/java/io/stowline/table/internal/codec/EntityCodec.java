package io.stowline.table.internal.codec;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How values of one Java type become entities and come back. Made once per type; thread-safe. */
public interface EntityCodec<T> {

    /**
     * The key that says which partition a value belongs to.
     *
     * @return its partition key, not yet checked
     */
    String partitionKey(T value);

    /**
     * The key that tells a value from the others in its partition.
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
     * The properties to ask the service for.
     *
     * @return their names, or {@code null} for all
     */
    @Nullable
    List<String> select();

    /** The lightest metadata level from which this codec can read the answer to a point read, whose header has the ETag. */
    MetadataLevel metadataLevel();

    /**
     * The lightest metadata level from which this codec can read lists.
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
     * A reader of rows, for one thread at a time.
     *
     * @return a new reader
     */
    RowReader<T> reader();

    /** How much the service says about each row beside its values (its page "Payload format for table service operations"). */
    enum MetadataLevel {
        /** Nothing: enough where the Java type knows the types. */
        NONE("application/json;odata=nometadata"),
        /** The types of properties that JSON cannot tell. */
        MINIMAL("application/json;odata=minimalmetadata"),
        /** Also ETags and addresses; the only level that promises ETags. */
        FULL("application/json;odata=fullmetadata");

        private final String accept;

        MetadataLevel(String accept) {
            this.accept = accept;
        }

        /**
         * The level as the value of an Accept header.
         *
         * @return such as {@code application/json;odata=nometadata}
         */
        public String accept() {
            return accept;
        }
    }
}
