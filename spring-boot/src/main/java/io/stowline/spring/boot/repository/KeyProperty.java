package io.stowline.spring.boot.repository;

import io.stowline.table.Index;

/**
 * A property by which the service finds entities without reading others.
 *
 * @param <T> the type of the entities
 */
sealed interface KeyProperty<T> {

    /** Returns the name that derived methods have. */
    String name();

    /**
     * A component that is a whole key.
     *
     * @param partition whether it is the partition key; otherwise it is the row key
     */
    record WholeKey<T>(String name, boolean partition) implements KeyProperty<T> {}

    /**
     * A part of a composite key.
     *
     * @param partition whether it is a part of the partition key
     * @param position its place in the format
     */
    record PartOfKey<T>(String name, boolean partition, int position) implements KeyProperty<T> {}

    /**
     * A property with an index.
     *
     * @param index the index
     */
    record IndexedProperty<T>(String name, Index<T, Object> index) implements KeyProperty<T> {}
}
