package io.stowline.table;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.key.KeyFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A further value by which the entities of a table are found. An application declares it once, uses it for {@link Table#indexed} and
 * names it in lookups, whose values have its type:
 *
 * <pre>{@code
 * Index<Runner, String> BIB = Index.text("BIB", Runner::bib).unique();
 * Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
 * Index<Runner, String> NAME = Index.text("NAME", Runner::name).global();
 *
 * IndexedTable<Runner> indexed = runners.indexed(List.of(BIB, AGE, NAME));
 * Optional<Runner> one = indexed.find(BIB, "2026", "01234");
 * Stream<Runner> fifties = indexed.range(AGE, "2026", 50, 60);
 * }</pre>
 *
 * <p>A name is 1 to 32 ASCII letters and digits and begins with a letter; index rows have it in their keys. The function gives the value
 * of an entity, or null if this index is not to find the entity. It must give the same value whenever it is given an equal
 * entity, and it is called on callback threads, too. Rows stand in the order of their values.
 *
 * <p>An index is local, unless {@link #unique} or {@link #global} is set: its rows are copies of the entities in their partition,
 * under the row key {@code NAME:value!rowkey}, and several entities may have one value.
 *
 * <p>Immutable and safe for use by many threads: each step gives another index.
 *
 * @param <T> the table's type
 * @param <V> the type of the values
 */
public final class Index<T, V> {

    private static final int MAX_VERSIONS = 1_000_000;
    private static final int MAX_PARTITIONS = 1_000;
    private static final int MAX_TEXT = 1_024;
    private static final int ONE_FOR_EACH_VALUE = 0;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,31}");

    private final String name;
    private final Placement placement;
    private final Function<? super T, ? extends @Nullable V> values;
    private final Function<V, String> texts;
    private final int version;
    private final int partitions;

    private Index(
            String name,
            Placement placement,
            Function<? super T, ? extends @Nullable V> values,
            Function<V, String> texts,
            int version,
            int partitions) {
        this.name = name;
        this.placement = placement;
        this.values = values;
        this.texts = texts;
        this.version = version;
        this.partitions = partitions;
    }

    private enum Placement {
        UNIQUE("unique"),
        LOCAL("local"),
        GLOBAL("global");

        private final String words;

        Placement(String words) {
            this.words = words;
        }
    }

    /**
     * Returns an index of texts. Any text without unpaired surrogates is a value; what a key cannot hold is escaped so that the order stays.
     *
     * @param name its name
     * @param value gives the value of an entity, or null
     * @param <T> the table's type
     * @return a local index
     * @throws IllegalArgumentException if the name is not allowed
     */
    public static <T> Index<T, String> text(String name, Function<? super T, ? extends @Nullable String> value) {
        return of(name, value, text -> checked(role(name), text));
    }

    /**
     * Returns an index of whole numbers, which stand in keys with leading zeros.
     *
     * @param name its name
     * @param digits how many digits the largest value has, 1 to 18
     * @param value gives the value of an entity, 0 to as many nines as there are digits, or null
     * @param <T> the table's type
     * @param <V> {@code Integer} or {@code Long}
     * @return a local index
     * @throws IllegalArgumentException if the name or the number of digits is not allowed
     */
    public static <T, V extends Number> Index<T, V> number(
            String name, int digits, Function<? super T, ? extends @Nullable V> value) {
        return of(name, value, KeyFormat.of().number(role(name), digits)::format);
    }

    /**
     * Returns an index of times, the oldest first, in steps of 100 ns.
     *
     * @param name its name
     * @param value gives the value of an entity in the years 1 to 9999, or null
     * @param <T> the table's type
     * @return a local index
     * @throws IllegalArgumentException if the name is not allowed
     */
    public static <T> Index<T, Instant> time(String name, Function<? super T, ? extends @Nullable Instant> value) {
        return of(name, value, KeyFormat.of().time(role(name))::format);
    }

    /**
     * Returns an index of dates, the oldest first, which stand in keys as {@code 2026-11-01}.
     *
     * @param name its name
     * @param value gives the value of an entity in the years 0 to 9999, or null
     * @param <T> the table's type
     * @return a local index
     * @throws IllegalArgumentException if the name is not allowed
     */
    public static <T> Index<T, LocalDate> date(String name, Function<? super T, ? extends @Nullable LocalDate> value) {
        return of(name, value, date -> text(role(name), date));
    }

    /** Names the values in messages. */
    private static String role(String name) {
        return "index " + Objects.requireNonNull(name, "name");
    }

    private static String checked(String role, String text) {
        if (text.length() > MAX_TEXT) {
            throw new InvalidKeyException(role + ": " + text.length() + " characters; the limit is " + MAX_TEXT);
        }
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            if (Character.getType(text.codePointAt(i)) == Character.SURROGATE) {
                throw new InvalidKeyException(String.format(
                        Locale.ROOT,
                        "%s: U+%04X at position %d is a surrogate without its partner",
                        role,
                        (int) text.charAt(i),
                        i));
            }
        }
        return text;
    }

    private static String text(String role, LocalDate date) {
        if (date.getYear() < 0 || date.getYear() > 9_999) {
            throw new InvalidKeyException(role + ": " + date + " is out of the years 0 to 9999");
        }
        return date.toString();
    }

    private static <T, V> Index<T, V> of(
            String name, Function<? super T, ? extends @Nullable V> value, Function<V, String> texts) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of an index is 1 to 32 letters and digits, a letter first; \""
                    + PrintableText.of(name) + "\" is not");
        }
        return new Index<>(name, Placement.LOCAL, value, texts, 1, ONE_FOR_EACH_VALUE);
    }

    /**
     * Returns the same index with values that are unique in a partition. Its rows are copies of the entities in their partition, under the
     * row key {@code NAME:value}.
     *
     * @return a unique index
     */
    public Index<T, V> unique() {
        return new Index<>(name, Placement.UNIQUE, values, texts, version, ONE_FOR_EACH_VALUE);
    }

    /**
     * Returns the same index over all partitions. Its rows stand in separate partitions, {@code NAME:value}, and only point to the
     * entities.
     *
     * @return a global index
     */
    public Index<T, V> global() {
        return new Index<>(name, Placement.GLOBAL, values, texts, version, ONE_FOR_EACH_VALUE);
    }

    /**
     * Returns the same index over all partitions, with its rows in a fixed number of partitions: the hash of a value decides in which one
     * they stand, under the row key {@code value!partitionkey!rowkey}. For values of which most entities have their own, such as a mail address: rows
     * of different values share a partition, so that writers and {@link IndexedTable#backfill} write up to 100 of them in one request. A
     * lookup costs the same.
     *
     * <p>Another number is another layout: raise the {@link #version} with it.
     *
     * @param number how many partitions, 1 to 1,000: about one for each 1,000 rows that are written in a second
     * @return a global index
     * @throws IllegalArgumentException if the number is out of range
     */
    public Index<T, V> global(int number) {
        if (number < 1 || number > MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    "the partitions of a global index are 1 to " + MAX_PARTITIONS + ", not " + number);
        }
        return new Index<>(name, Placement.GLOBAL, values, texts, version, number);
    }

    /**
     * Returns the same index with another version of its values: raise it whenever the function gives another value for an entity than
     * before. Each index row carries the version that it was written in, and a lookup finds rows of this version only, so that {@link
     * IndexedTable#repair()} has to run before all entities are found again.
     *
     * @param number 1 to 1,000,000; 1 unless set
     * @return the index with this version
     * @throws IllegalArgumentException if the number is out of range
     */
    public Index<T, V> version(int number) {
        if (number < 1 || number > MAX_VERSIONS) {
            throw new IllegalArgumentException("the version of an index is 1 to " + MAX_VERSIONS + ", not " + number);
        }
        return new Index<>(name, placement, values, texts, number, partitions);
    }

    /**
     * Returns the name.
     *
     * @return the name that index rows have in their keys
     */
    public String name() {
        return name;
    }

    /**
     * Returns the version of the values.
     *
     * @return 1 unless {@link #version(int)} sets another
     */
    public int version() {
        return version;
    }

    /**
     * Returns whether a partition has each value once.
     *
     * @return true if {@link #unique} was the last step that placed the index rows
     */
    public boolean isUnique() {
        return placement == Placement.UNIQUE;
    }

    /**
     * Returns whether the index rows stand in partitions apart from the entities.
     *
     * @return true if {@link #global} was the last step that placed the index rows
     */
    public boolean isGlobal() {
        return placement == Placement.GLOBAL;
    }

    /**
     * Returns the number of partitions in which the rows of all values stand.
     *
     * @return the number that {@link #global(int)} sets; empty where each value has a partition of its rows, and for rows beside the entities
     */
    public OptionalInt partitions() {
        return partitions == ONE_FOR_EACH_VALUE ? OptionalInt.empty() : OptionalInt.of(partitions);
    }

    /**
     * Returns the value of an entity.
     *
     * @param entity the entity
     * @return its value; empty if this index does not find it
     * @throws RuntimeException the failure of the application's function
     */
    public Optional<V> value(T entity) {
        return Optional.ofNullable(values.apply(entity));
    }

    /**
     * Returns a value as the keys of index rows have it, before it is escaped. These texts are in the order of the values.
     *
     * @param value the value
     * @return its text
     * @throws InvalidKeyException if keys have no room for it; the message begins with {@code index} and its name
     */
    public String keyText(V value) {
        return texts.apply(Objects.requireNonNull(value, "value"));
    }

    @Override
    public String toString() {
        return "Index[" + name + ", " + placement.words + "]";
    }
}
