package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.spark.internal.schema.TableSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a scan: those that the service evaluates, and those that are left to Spark. A condition of which the service evaluates a
 * wider one is in both. Not thread-safe.
 */
final class ScanConditions {

    /** A slice of keys takes three of the comparisons of a query. */
    static final int MAX_COMPARISONS = Filter.MAX_COMPARISONS - 3;

    /** The text stands in the address of each request, where a character may take nine. */
    private static final int MAX_LENGTH = 3_000;

    private final Map<String, StoredColumn> columns = new HashMap<>();
    private final FilterTranslator translator;
    private final KeyBounds bounds = new KeyBounds();
    private final List<Filter> filters = new ArrayList<>();
    private final Set<Predicate> pushed = new LinkedHashSet<>();
    private final Set<String> notNull = new HashSet<>();
    private final Set<StoredColumn> compared = new LinkedHashSet<>();
    private List<Predicate> left = List.of();
    private @Nullable SortedSet<String> partitions;

    ScanConditions(List<StoredColumn> all) {
        for (StoredColumn column : all) {
            if (column.isUniform() && isNamed(column)) {
                columns.put(column.name(), column);
            }
        }
        this.translator = new FilterTranslator(columns);
    }

    /** Some names of columns are words of the filter language, or no names of properties. */
    private static boolean isNamed(StoredColumn column) {
        try {
            ValueFilters.property(column);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A condition with its translation. */
    private record TranslatedPredicate(Predicate predicate, ServiceCondition condition) {}

    /**
     * Takes the conditions of a scan, which must all hold.
     *
     * @return those that Spark evaluates
     */
    Predicate[] push(Predicate[] all) {
        Set<Predicate> exact = new HashSet<>();
        List<TranslatedPredicate> translated = new ArrayList<>();
        for (Predicate predicate : all) {
            SortedSet<String> keys = PartitionKeys.of(predicate, columns);
            if (keys != null) {
                narrow(keys);
                pushed.add(predicate);
                exact.add(predicate);
                continue;
            }
            ServiceCondition condition = translator.translate(predicate);
            if (condition != null) {
                translated.add(new TranslatedPredicate(predicate, condition));
            }
        }
        // Keys first: conditions on them spare the service the reading.
        translated.sort(Comparator.comparing(one -> !one.condition().keysOnly()));
        for (TranslatedPredicate one : translated) {
            if (add(one)) {
                exact.add(one.predicate());
            }
        }
        for (Predicate predicate : all) {
            if (isImplied(predicate)) {
                exact.add(predicate);
                pushed.add(predicate);
            }
        }
        left = Arrays.stream(all)
                .filter(predicate -> !exact.contains(predicate))
                .toList();
        return left.toArray(Predicate[]::new);
    }

    private void narrow(SortedSet<String> keys) {
        SortedSet<String> before = partitions;
        if (before == null) {
            partitions = keys;
        } else {
            before.retainAll(keys);
        }
    }

    /** Adds a condition as far as a query takes it; returns whether nothing of it is left to Spark. */
    private boolean add(TranslatedPredicate added) {
        Filter filter = added.condition().filter();
        int comparisons = filters.stream().mapToInt(Filter::comparisons).sum() + filter.comparisons();
        int length =
                filters.stream().mapToInt(other -> other.toString().length()).sum()
                        + filter.toString().length();
        if (comparisons > MAX_COMPARISONS || length > MAX_LENGTH) {
            return false;
        }
        filters.add(filter);
        pushed.add(added.predicate());
        for (NamedReference reference : added.predicate().references()) {
            StoredColumn column = ColumnComparison.column(reference, columns);
            if (column != null && !TableSchema.isSystem(column.name())) {
                compared.add(column);
            }
        }
        if (!added.condition().exact()) {
            return false;
        }
        StoredColumn refusing = translator.refusesNull(added.predicate());
        if (refusing != null) {
            notNull.add(refusing.name());
            if (refusing.name().equals(TableSchema.PARTITION_KEY)) {
                bound(added);
            }
        }
        return true;
    }

    private void bound(TranslatedPredicate one) {
        Filter filter = one.condition().filter();
        ColumnComparison comparison = ColumnComparison.of(one.predicate(), columns);
        if (comparison != null) {
            bounds.add(comparison.operator(), comparison.value().toString(), filter);
        } else if (one.predicate().name().equals("STARTS_WITH")) {
            StoredColumn key = columns.get(TableSchema.PARTITION_KEY);
            Object prefix =
                    key == null ? null : ColumnComparison.value(one.predicate().children()[1], key);
            if (prefix != null) {
                bounds.addPrefix(prefix.toString(), filter);
            }
        }
    }

    private boolean isImplied(Predicate predicate) {
        StoredColumn column = predicate.name().equals("IS_NOT_NULL")
                ? ColumnComparison.column(predicate.children()[0], columns)
                : null;
        return column != null && (translator.isAlwaysTrue(predicate) || notNull.contains(column.name()));
    }

    /** Returns the conditions that the service evaluates, exactly or wider. */
    Predicate[] pushed() {
        return pushed.toArray(Predicate[]::new);
    }

    /** Returns whether the service evaluates all of them exactly. */
    boolean isComplete() {
        return left.isEmpty();
    }

    /** Returns the only partition keys that the scan finds; empty for no such bound. */
    Optional<List<String>> partitions() {
        return Optional.ofNullable(partitions)
                .map(keys -> keys.stream().filter(bounds::contains).toList());
    }

    /** Returns the properties that the service compares. */
    List<StoredColumn> compared() {
        return List.copyOf(compared);
    }

    /** Returns the bounds of the partition keys. */
    KeyBounds bounds() {
        return bounds;
    }

    /** Returns the condition of each query beside that of its slice; empty for none. */
    Optional<Filter> filter() {
        return filters.isEmpty() ? Optional.empty() : Optional.of(Filter.all(filters));
    }
}
