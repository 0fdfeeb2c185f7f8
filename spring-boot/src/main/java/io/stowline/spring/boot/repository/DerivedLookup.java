package io.stowline.spring.boot.repository;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import java.util.Optional;
import java.util.function.Function;

/**
 * The requests by which a derived method finds its entities, made of the arguments of a call.
 *
 * @param <T> the type of the entities
 */
sealed interface DerivedLookup<T> {

    /** A key, made of the arguments of a call. */
    interface KeyText extends Function<Object[], String> {}

    /** Returns the class of the query: {@code point}, {@code row-range}, {@code partition} or {@code index}. */
    String queryClass();

    /** Returns whether at most one entity is found. */
    default boolean isSingle() {
        return false;
    }

    /** A point read. */
    record PointLookup<T>(KeyText partitionKey, KeyText rowKey) implements DerivedLookup<T> {

        @Override
        public String queryClass() {
            return "point";
        }

        @Override
        public boolean isSingle() {
            return true;
        }
    }

    /**
     * A partition, or a range of its rows.
     *
     * @param queryClass {@code partition} or {@code row-range}
     * @param rows the condition on the row key; empty for the whole partition
     */
    record RowsLookup<T>(String queryClass, KeyText partitionKey, Function<Object[], Optional<Filter>> rows)
            implements DerivedLookup<T> {}

    /** A value of a unique index: a point read of the copy. */
    record UniqueLookup<T>(Index<T, Object> index, KeyText partitionKey, int argument) implements DerivedLookup<T> {

        @Override
        public String queryClass() {
            return "index";
        }

        @Override
        public boolean isSingle() {
            return true;
        }
    }

    /**
     * A value or a range of an index.
     *
     * @param equality whether it is a value
     */
    record ValuesLookup<T>(Function<Object[], IndexLookup<T>> values, boolean equality) implements DerivedLookup<T> {

        @Override
        public String queryClass() {
            return "index";
        }
    }
}
