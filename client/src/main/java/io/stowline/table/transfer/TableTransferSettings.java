package io.stowline.table.transfer;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The settings of an export, an import, a copy or a comparison of tables.
 *
 * <pre>
 * partition        all                                          all
 * partitionPrefix  all                                          all
 * rowPrefix        all                                          all
 * where            no condition                                 all
 * select           all properties                               all
 * mode             {@link ImportMode#replace}                   import, copy
 * column           none: a CSV file has its types beside it     import, comparison of files
 * allowEmptyKeys   only of a file with its manifest             import
 * rejected         beside the file, or in the state             import, copy
 * state            beside the file; a copy keeps none           all but comparisons
 * overwrite        no                                           export
 * parallelism      8 ranges or transactions at a time           all
 * rate             unlimited                                    all
 * dryRun           no                                           export, import, copy
 * progress         no listener                                  all
 * </pre>
 *
 * <p>A setting that does not serve a transfer is refused by it. Immutable and safe to share between threads.
 */
public final class TableTransferSettings {

    private final Builder given;

    private TableTransferSettings(Builder given) {
        this.given = given;
    }

    /**
     * Begins with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the only partition that takes part.
     *
     * @return its key, if one was set
     */
    public Optional<String> partition() {
        return given.partition;
    }

    /**
     * Returns the prefix of the partitions that take part.
     *
     * @return the beginning of their keys, if one was set
     */
    public Optional<String> partitionPrefix() {
        return given.partitionPrefix;
    }

    /**
     * Returns the prefix of the row keys that take part.
     *
     * @return the beginning of the keys, if one was set
     */
    public Optional<String> rowPrefix() {
        return given.rowPrefix;
    }

    /**
     * Returns the condition of the entities that take part.
     *
     * @return the condition, if one was set
     */
    public Optional<Filter> where() {
        return given.where;
    }

    /**
     * Returns the properties that take part.
     *
     * @return their names; empty for all
     */
    public List<String> select() {
        return given.select;
    }

    /**
     * Returns the treatment of entities that the target has already.
     *
     * @return {@link ImportMode#replace} by default
     */
    public ImportMode mode() {
        return given.mode;
    }

    /**
     * Returns the declared types of the columns of a CSV file.
     *
     * @return the type of each declared column
     */
    public Map<String, PropertyKind> columns() {
        return Collections.unmodifiableMap(given.columns);
    }

    /**
     * Returns whether rows with an empty partition key or row key are imported from any file.
     *
     * @return false by default: they are imported from a file of an export only, which has its manifest beside it
     */
    public boolean allowEmptyKeys() {
        return given.allowEmptyKeys;
    }

    /**
     * Returns the file of rejected rows.
     *
     * @return the file, if one was set
     */
    public Optional<Path> rejected() {
        return given.rejected;
    }

    /**
     * Returns the folder of the state.
     *
     * @return the folder, if one was set
     */
    public Optional<Path> state() {
        return given.state;
    }

    /**
     * Returns whether an export replaces a file that exists.
     *
     * @return false by default
     */
    public boolean overwrite() {
        return given.overwrite;
    }

    /**
     * Returns how many ranges are read, and how many transactions are in flight, at a time.
     *
     * @return 8 by default
     */
    public int parallelism() {
        return given.parallelism;
    }

    /**
     * Returns the max rows per second.
     *
     * @return the rate, if one was set
     */
    public OptionalInt rate() {
        return given.rate;
    }

    /**
     * Returns whether nothing is written.
     *
     * @return false by default
     */
    public boolean dryRun() {
        return given.dryRun;
    }

    /**
     * Returns the listener of the progress.
     *
     * @return the listener, if one was set
     */
    public Optional<Consumer<? super TableTransferProgress>> progress() {
        return given.progress;
    }

    /**
     * Returns the names of the settings that were set.
     *
     * @return the names, sorted
     */
    public Set<String> names() {
        return Collections.unmodifiableSet(given.names);
    }

    /** A builder of {@link TableTransferSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_PARALLELISM = 64;
        private static final int MAX_RATE = 10_000_000;

        private final Set<String> names = new TreeSet<>();
        private final Map<String, PropertyKind> columns = new LinkedHashMap<>();
        private Optional<String> partition = Optional.empty();
        private Optional<String> partitionPrefix = Optional.empty();
        private Optional<String> rowPrefix = Optional.empty();
        private Optional<Filter> where = Optional.empty();
        private List<String> select = List.of();
        private ImportMode mode = ImportMode.replace();
        private boolean allowEmptyKeys;
        private Optional<Path> rejected = Optional.empty();
        private Optional<Path> state = Optional.empty();
        private boolean overwrite;
        private int parallelism = 8;
        private OptionalInt rate = OptionalInt.empty();
        private boolean dryRun;
        private Optional<Consumer<? super TableTransferProgress>> progress = Optional.empty();

        private Builder() {}

        /**
         * Restricts the transfer to one partition.
         *
         * @param partitionKey the partition
         * @return this builder
         * @throws IllegalArgumentException if the key is not allowed
         */
        public Builder partition(String partitionKey) {
            partition = Optional.of(KeyRules.check("partition", partitionKey));
            return named("partition");
        }

        /**
         * Restricts the transfer to partitions whose key has this prefix.
         *
         * @param prefix the beginning of the partition key, not empty
         * @return this builder
         * @throws IllegalArgumentException if the prefix is empty or not allowed in a key
         */
        public Builder partitionPrefix(String prefix) {
            partitionPrefix = Optional.of(prefix("partitionPrefix", prefix));
            return named("partitionPrefix");
        }

        /**
         * Restricts the transfer to rows whose key has this prefix.
         *
         * @param prefix the beginning of the row key, not empty
         * @return this builder
         * @throws IllegalArgumentException if the prefix is empty or not allowed in a key
         */
        public Builder rowPrefix(String prefix) {
            rowPrefix = Optional.of(prefix("rowPrefix", prefix));
            return named("rowPrefix");
        }

        /**
         * Restricts the transfer to entities that match this condition. The service evaluates it for a table, and the client for the rows of
         * a file, for which it has comparisons, {@code and}, {@code or}, {@code not} and parentheses only. In both a comparison with a
         * property that is absent, or of another type than the constant, does not hold.
         *
         * @param filter the condition, of at most 8 comparisons, since each range of the keys adds some
         * @return this builder
         * @throws IllegalArgumentException if it has more comparisons
         */
        public Builder where(Filter filter) {
            Objects.requireNonNull(filter, "filter");
            if (filter.comparisons() > 8) {
                throw new IllegalArgumentException("where: the condition has " + filter.comparisons()
                        + " comparisons; the limit of a transfer is 8, since each range of the keys adds some");
            }
            where = Optional.of(filter);
            return named("where");
        }

        /**
         * Transfers these properties and the keys, and no others. A CSV file has them as its columns, in this order.
         *
         * @param properties their names, at least one
         * @return this builder
         * @throws IllegalArgumentException if there is none, or the service does not allow one
         */
        public Builder select(String... properties) {
            if (properties.length == 0) {
                throw new IllegalArgumentException("select: no property is named; at least one is needed");
            }
            List<String> all = new ArrayList<>();
            for (String property : properties) {
                all.add(PropertyNames.check(property));
            }
            select = List.copyOf(all);
            return named("select");
        }

        /**
         * Sets the treatment of entities that the target has already.
         *
         * @param mode the mode
         * @return this builder
         */
        public Builder mode(ImportMode mode) {
            this.mode = Objects.requireNonNull(mode, "mode");
            return named("mode");
        }

        /**
         * Declares the type of a column of a CSV file. Columns with a column {@code name@type} beside them need none.
         *
         * @param name the column
         * @param kind its type
         * @return this builder
         * @throws IllegalArgumentException if the service does not allow the name
         */
        public Builder column(String name, PropertyKind kind) {
            columns.put(PropertyNames.check(name), Objects.requireNonNull(kind, "kind"));
            return named("column");
        }

        /**
         * Imports rows whose partition key or row key is empty, as the service allows. Otherwise they are rejected, since an empty column of a
         * foreign file is a missing id far more often than a key; only a file of an export, which has its manifest beside it, may have them.
         *
         * @return this builder
         */
        public Builder allowEmptyKeys() {
            allowEmptyKeys = true;
            return named("allowEmptyKeys");
        }

        /**
         * Sets the file of rejected rows, which a run that is not resumed replaces.
         *
         * @param file the file
         * @return this builder
         */
        public Builder rejected(Path file) {
            rejected = Optional.of(Objects.requireNonNull(file, "file"));
            return named("rejected");
        }

        /**
         * Sets the folder in which the transfer keeps its state. It is made, and removed at the end of the transfer.
         *
         * @param folder the folder; it belongs to one transfer alone
         * @return this builder
         */
        public Builder state(Path folder) {
            state = Optional.of(Objects.requireNonNull(folder, "folder"));
            return named("state");
        }

        /**
         * Replaces a file that exists, once the export is complete.
         *
         * @return this builder
         */
        public Builder overwrite() {
            overwrite = true;
            return named("overwrite");
        }

        /**
         * Sets how many ranges are read, and how many transactions are in flight, at a time.
         *
         * @param ranges 1 to 64
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int ranges) {
            parallelism = between("parallelism", ranges, MAX_PARALLELISM);
            return named("parallelism");
        }

        /**
         * Sets the max rows per second, so that the application keeps its share of the table's capacity; of a comparison those of each table.
         *
         * @param rowsPerSecond 1 to 10,000,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder rate(int rowsPerSecond) {
            rate = OptionalInt.of(between("rate", rowsPerSecond, MAX_RATE));
            return named("rate");
        }

        /**
         * Reads and checks the source, and writes nothing. The target is not read: the report is that of an empty one.
         *
         * @return this builder
         */
        public Builder dryRun() {
            dryRun = true;
            return named("dryRun");
        }

        /**
         * Sets the listener of the progress. It is called ten times a second at the most, by one thread at a time, and ends the transfer
         * if it throws.
         *
         * @param listener is given the progress
         * @return this builder
         */
        public Builder progress(Consumer<? super TableTransferProgress> listener) {
            progress = Optional.of(Objects.requireNonNull(listener, "listener"));
            return named("progress");
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if a partition and a prefix of partitions are both set, or the mode needs a property that is not
         *     selected
         */
        public TableTransferSettings build() {
            if (partition.isPresent() && partitionPrefix.isPresent()) {
                throw new IllegalArgumentException("partition and partitionPrefix are both set: choose one");
            }
            mode.property()
                    .filter(property -> !select.isEmpty()
                            && !select.contains(property)
                            && !property.equals(PropertyNames.TIMESTAMP))
                    .ifPresent(property -> {
                        throw new IllegalArgumentException("mode needs the property " + property + ", but select has "
                                + select + ": select it too");
                    });
            Builder copy = new Builder();
            copy.names.addAll(names);
            copy.columns.putAll(columns);
            copy.partition = partition;
            copy.partitionPrefix = partitionPrefix;
            copy.rowPrefix = rowPrefix;
            copy.where = where;
            copy.select = select;
            copy.mode = mode;
            copy.allowEmptyKeys = allowEmptyKeys;
            copy.rejected = rejected;
            copy.state = state;
            copy.overwrite = overwrite;
            copy.parallelism = parallelism;
            copy.rate = rate;
            copy.dryRun = dryRun;
            copy.progress = progress;
            return new TableTransferSettings(copy);
        }

        private Builder named(String name) {
            names.add(name);
            return this;
        }

        private static String prefix(String name, String prefix) {
            if (KeyRules.check(name, prefix).isEmpty()) {
                throw new IllegalArgumentException(name + " is empty: leave it out for all keys");
            }
            return prefix;
        }

        private static int between(String name, int value, int max) {
            if (value < 1 || value > max) {
                throw new IllegalArgumentException(name + " is 1 to " + max + ", not " + value);
            }
            return value;
        }
    }
}
