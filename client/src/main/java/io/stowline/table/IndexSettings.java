package io.stowline.table;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Declares the indexes of a table: further values by which its entities are found.
 *
 * <p>A name is 1 to 32 ASCII letters and digits and begins with a letter; index rows have it in their keys. The function gives the value
 * of an entity, or nothing if the entity is not to be found by this index. It must give the same value whenever it is given an equal
 * entity, and it is called on callback threads, too. Values are text and sort as text does: give numbers leading zeros.
 *
 * <p>Immutable and safe for use by many threads: each step gives new settings.
 *
 * @param <T> the table's type
 */
public final class IndexSettings<T> {

    /** Each takes two of the 15 comparisons that the service allows in a query. */
    private static final int MOST = 7;

    private static final int MOST_VERSIONS = 1_000_000;
    private static final Duration GRACE = Duration.ofMinutes(10);
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,31}");

    private final List<TableIndex<T>> indexes;
    private final Duration grace;
    private final int version;

    private IndexSettings(List<TableIndex<T>> indexes, Duration grace, int version) {
        this.indexes = indexes;
        this.grace = grace;
        this.version = version;
    }

    static <T> IndexSettings<T> none() {
        return new IndexSettings<>(List.of(), GRACE, 1);
    }

    /**
     * Adds an index whose values are unique in a partition. Its rows stand in the partition of the entities, as copies of them, under the
     * row key {@code NAME:value}.
     *
     * @param name its name
     * @param value gives the value of an entity
     * @return settings with this index
     * @throws IllegalArgumentException if the name is not allowed or taken, or there are 7 indexes
     */
    public IndexSettings<T> unique(String name, Function<T, Optional<String>> value) {
        return with(name, TableIndex.Kind.UNIQUE, value);
    }

    /**
     * Adds an index in whose order a partition can be read. Its rows stand in the partition of the entities, as copies of them, under the
     * row key {@code NAME:value!rowkey}.
     *
     * @param name its name
     * @param value gives the value of an entity
     * @return settings with this index
     * @throws IllegalArgumentException if the name is not allowed or taken, or there are 7 indexes
     */
    public IndexSettings<T> local(String name, Function<T, Optional<String>> value) {
        return with(name, TableIndex.Kind.ORDERED, value);
    }

    /**
     * Adds an index over all partitions. Its rows stand in partitions of their own, {@code NAME:value}, and only point to the entities.
     *
     * @param name its name
     * @param value gives the value of an entity
     * @return settings with this index
     * @throws IllegalArgumentException if the name is not allowed or taken, or there are 7 indexes
     */
    public IndexSettings<T> global(String name, Function<T, Optional<String>> value) {
        return with(name, TableIndex.Kind.ELSEWHERE, value);
    }

    /**
     * Sets how old a row must be that stands elsewhere and points to nothing before {@link IndexedTable#repair()} takes it away. A writer makes
     * such rows before the entity, so it must be longer than any write takes.
     *
     * @param age by the service's clock, at least a second; 10 minutes unless set
     * @return settings with this time
     * @throws IllegalArgumentException if it is less than a second
     */
    public IndexSettings<T> grace(Duration age) {
        Objects.requireNonNull(age, "age");
        if (age.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("grace is at least 1 s, not " + age);
        }
        return new IndexSettings<>(indexes, age, version);
    }

    /**
     * Sets the version of the values: raise it whenever a function gives another value for an entity than before. Each index row carries
     * the version that it was written in, and a lookup finds rows of this version only, so that {@link IndexedTable#repair()} has to run
     * before all entities are found again.
     *
     * @param number 1 to 1,000,000; 1 unless set
     * @return settings with this version, for all indexes
     * @throws IllegalArgumentException if the number is out of range
     */
    public IndexSettings<T> version(int number) {
        if (number < 1 || number > MOST_VERSIONS) {
            throw new IllegalArgumentException("the version of an index is 1 to " + MOST_VERSIONS + ", not " + number);
        }
        return new IndexSettings<>(indexes, grace, number);
    }

    private IndexSettings<T> with(String name, TableIndex.Kind kind, Function<T, Optional<String>> value) {
        Objects.requireNonNull(name, "name");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of an index is 1 to 32 letters and digits, a letter first; \"" + name + "\" is not");
        }
        if (indexes.stream().anyMatch(index -> index.name().equals(name))) {
            throw new IllegalArgumentException("there are two indexes named " + name);
        }
        if (indexes.size() == MOST) {
            throw new IllegalArgumentException(
                    "index " + name + " is one too many: the limit is " + MOST + " indexes of a table");
        }
        List<TableIndex<T>> more = new ArrayList<>(indexes);
        more.add(new TableIndex<>(name, kind, Objects.requireNonNull(value, "value"), 1));
        return new IndexSettings<>(List.copyOf(more), grace, version);
    }

    List<TableIndex<T>> indexes() {
        return indexes.stream()
                .map(index -> new TableIndex<>(index.name(), index.kind(), index.values(), version))
                .toList();
    }

    Duration grace() {
        return grace;
    }
}
