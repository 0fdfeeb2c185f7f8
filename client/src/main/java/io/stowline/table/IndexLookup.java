package io.stowline.table;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.InvalidValueException;
import java.util.Objects;
import java.util.Optional;

/**
 * A lookup by an index whose results {@link IndexedTable} gives in pages.
 *
 * <pre>{@code
 * Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
 * IndexedTable<Runner> indexed = runners.indexed(AGE);
 * IndexLookup<Runner> fifties = IndexLookup.range(AGE, "2026", 50, 60).pageSize(50);
 * Query.Page<Runner> page = indexed.page(fifties);
 * Query.Page<Runner> next = indexed.page(fifties, page.nextToken().orElseThrow());
 * }</pre>
 *
 * <p>Immutable and thread-safe: {@link #pageSize} gives another lookup.
 *
 * @param index the index
 * @param partitionKey the partition of the entities; empty for an index over all partitions
 * @param value the only value that is found, as keys have it ({@link Index#keyText}); empty for a range
 * @param from the first value of the range, as keys have it; empty for the smallest one
 * @param below the first value after the range, as keys have it; empty if the range has no end
 * @param pageSize how many results a page has
 * @param <T> the table's type
 */
public record IndexLookup<T>(
        Index<T, ?> index,
        Optional<String> partitionKey,
        Optional<String> value,
        Optional<String> from,
        Optional<String> below,
        int pageSize) {

    private static final int MAX_PAGE = 1_000;

    /**
     * Makes a lookup of its parts; the factory methods make them from typed values.
     *
     * @param index the index
     * @param partitionKey the partition of the entities
     * @param value the only value
     * @param from the first value
     * @param below the first value after the range
     * @param pageSize how many results a page has
     * @throws IllegalArgumentException if the index is global and a partition or no value is given, if it is not and no partition is given,
     *     or if there is a value and a range
     * @throws InvalidKeyException if {@code from} comes after {@code below}
     * @throws InvalidValueException if the page size is out of range
     */
    public IndexLookup {
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(below, "below");
        if (index.isGlobal() && (partitionKey.isPresent() || value.isEmpty())) {
            throw new IllegalArgumentException("a lookup by the index " + index.name()
                    + ", which is global, has a value and no partition: use IndexLookup.global(index, value)");
        }
        if (!index.isGlobal() && partitionKey.isEmpty()) {
            throw new IllegalArgumentException("a lookup by the index " + index.name()
                    + ", which is not global, names the partition of its entities");
        }
        if (value.isPresent() && (from.isPresent() || below.isPresent())) {
            throw new IllegalArgumentException(
                    "a lookup by the index " + index.name() + " has a value or a range, not both");
        }
        if (below.isPresent() && from.orElse("").compareTo(below.get()) > 0) {
            throw new InvalidKeyException("the range of the index " + index.name() + ": from comes after below");
        }
        if (pageSize < 1 || pageSize > MAX_PAGE) {
            throw new InvalidValueException("pageSize is 1 to " + MAX_PAGE + ", not " + pageSize);
        }
    }

    /**
     * Returns the lookup of all entities of a partition that an index has, in the order of their values.
     *
     * @param index a unique or local index
     * @param partitionKey the partition
     * @param <T> the table's type
     * @return the lookup
     * @throws IllegalArgumentException if the index is global
     */
    public static <T> IndexLookup<T> all(Index<T, ?> index, String partitionKey) {
        return in(index, partitionKey, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns the lookup of the entities of a partition with one value, in the order of their row keys.
     *
     * @param index a unique or local index
     * @param partitionKey the partition
     * @param value the value
     * @param <T> the table's type
     * @param <V> the type of the values
     * @return the lookup
     * @throws IllegalArgumentException if the index is global, or keys have no room for the value
     */
    public static <T, V> IndexLookup<T> value(Index<T, V> index, String partitionKey, V value) {
        return in(index, partitionKey, Optional.of(text(index, value, "value")), Optional.empty(), Optional.empty());
    }

    /**
     * Returns the lookup of the entities of a partition with values in a range, in the order of the values.
     *
     * @param index a unique or local index
     * @param partitionKey the partition
     * @param from the first value of the range
     * @param below the first value after the range
     * @param <T> the table's type
     * @param <V> the type of the values
     * @return the lookup
     * @throws IllegalArgumentException if the index is global
     * @throws InvalidKeyException if {@code from} comes after {@code below}, or keys have no room for one of them
     */
    public static <T, V> IndexLookup<T> range(Index<T, V> index, String partitionKey, V from, V below) {
        return in(
                index,
                partitionKey,
                Optional.empty(),
                Optional.of(text(index, from, "from")),
                Optional.of(text(index, below, "below")));
    }

    /**
     * Returns the lookup of the entities of a partition with values that are not below the given one, in the order of the values.
     *
     * @param index a unique or local index
     * @param partitionKey the partition
     * @param from the first value
     * @param <T> the table's type
     * @param <V> the type of the values
     * @return the lookup
     * @throws IllegalArgumentException if the index is global
     */
    public static <T, V> IndexLookup<T> rangeFrom(Index<T, V> index, String partitionKey, V from) {
        return in(index, partitionKey, Optional.empty(), Optional.of(text(index, from, "from")), Optional.empty());
    }

    /**
     * Returns the lookup of the entities of all partitions with one value of a global index, in the order of their keys.
     *
     * @param index a global index
     * @param value the value
     * @param <T> the table's type
     * @param <V> the type of the values
     * @return the lookup
     * @throws IllegalArgumentException if the index is not global
     */
    public static <T, V> IndexLookup<T> global(Index<T, V> index, V value) {
        return new IndexLookup<>(
                index,
                Optional.empty(),
                Optional.of(text(index, value, "value")),
                Optional.empty(),
                Optional.empty(),
                MAX_PAGE);
    }

    private static <T> IndexLookup<T> in(
            Index<T, ?> index,
            String partitionKey,
            Optional<String> value,
            Optional<String> from,
            Optional<String> below) {
        return new IndexLookup<>(
                index, Optional.of(Objects.requireNonNull(partitionKey, "partitionKey")), value, from, below, MAX_PAGE);
    }

    private static <V> String text(Index<?, V> index, V value, String name) {
        Objects.requireNonNull(index, "index");
        return index.keyText(Objects.requireNonNull(value, name));
    }

    /**
     * Returns the same lookup with another page size. A page token serves lookups of any page size.
     *
     * @param results how many results a page has, 1 to 1,000; the default is 1,000
     * @return the lookup with this page size
     * @throws InvalidValueException if the number is out of range
     */
    public IndexLookup<T> pageSize(int results) {
        return new IndexLookup<>(index, partitionKey, value, from, below, results);
    }

    @Override
    public String toString() {
        return PrintableText.of(
                "IndexLookup[index=" + index.name() + ", partitionKey=" + partitionKey.orElse("") + "]");
    }
}
