package io.stowline.table.internal;

import io.stowline.projection.Filter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How values of one Java type become entities and come back. Made once per type; thread-safe.
 *
 * @param <T> the Java type
 */
public interface EntityCodec<T> {

    /**
     * The key that says which partition a value belongs to.
     *
     * @param value the value
     * @return its partition key, not yet checked
     */
    String partitionKey(T value);

    /**
     * The key that tells a value from the others in its partition.
     *
     * @param value the value
     * @return its row key, not yet checked
     */
    String rowKey(T value);

    /**
     * Writes everything but the keys.
     *
     * @param value the value
     * @param out where to
     */
    void writeProperties(T value, EntityOut out);

    /**
     * The properties to ask the service for.
     *
     * @return their names, or {@code null} for all
     */
    @Nullable
    List<String> select();

    /**
     * The lightest metadata level from which this codec can read.
     *
     * @return the level
     */
    MetadataLevel metadataLevel();

    /**
     * Refuses a condition whose values cannot have the types of this codec's properties.
     *
     * @param filter the condition
     * @throws IllegalArgumentException naming the property
     */
    default void check(Filter filter) {}

    /**
     * A reader of rows, for one thread at a time.
     *
     * @return a new reader
     */
    RowReader<T> reader();
}
