package io.stowline.spring.boot.repository;

import io.stowline.projection.key.KeyFormat;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.repository.DerivedLookup.KeyText;
import io.stowline.spring.boot.repository.DerivedLookup.PointLookup;
import io.stowline.spring.boot.repository.DerivedLookup.RowsLookup;
import io.stowline.spring.boot.repository.DerivedLookup.UniqueLookup;
import io.stowline.spring.boot.repository.DerivedLookup.ValuesLookup;
import io.stowline.spring.boot.repository.DerivedName.Criterion;
import io.stowline.spring.boot.repository.KeyProperty.IndexedProperty;
import io.stowline.spring.boot.repository.KeyProperty.PartOfKey;
import io.stowline.spring.boot.repository.KeyProperty.WholeKey;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The derivation of a lookup from the criteria of one method. Criteria that the service serves by a scan are refused with the class of the query.
 *
 * @param <T> the type of the entities
 */
final class LookupDerivation<T> {

    private static final int MAX_PAGE = 1_000;
    private static final String ROW_RANGE = "row-range";

    private final RepositoryMethod method;
    private final KeyProperties<T> keys;
    private final DerivedName<T> name;
    private final List<Criterion<T>> partition = new ArrayList<>();
    private final List<Criterion<T>> rows = new ArrayList<>();
    private final List<Criterion<T>> indexed = new ArrayList<>();

    LookupDerivation(RepositoryMethod method, KeyProperties<T> keys, DerivedName<T> name) {
        this.method = method;
        this.keys = keys;
        this.name = name;
        for (Criterion<T> criterion : name.criteria()) {
            if (criterion.property() instanceof IndexedProperty<T>) {
                indexed.add(criterion);
            } else {
                (isPartition(criterion.property()) ? partition : rows).add(criterion);
            }
        }
    }

    private static boolean isPartition(KeyProperty<?> property) {
        return property instanceof WholeKey<?> whole ? whole.partition() : ((PartOfKey<?>) property).partition();
    }

    /**
     * Returns the lookup.
     *
     * @throws StowlineConfigurationException if the service would scan
     */
    DerivedLookup<T> lookup() {
        if (name.unknown() != null) {
            throw unknown(name.unknown());
        }
        if (!indexed.isEmpty()) {
            return byIndex(indexed.get(0));
        }
        KeyText partitionKey = partition();
        if (rows.isEmpty()) {
            return new RowsLookup<>("partition", partitionKey, arguments -> Optional.empty());
        }
        return rows.get(0).property() instanceof WholeKey<T> ? byRowKey(partitionKey) : byParts(partitionKey);
    }

    private StowlineConfigurationException unknown(String property) {
        if (property.contains("OrderBy")) {
            return method.refused(
                    "it sorts, and the service returns entities in the order of their keys only",
                    "Put the order into the row key, or read by an index, whose results are in the order of its"
                            + " values.");
        }
        if (property.matches(".+Or[A-Z].*")) {
            return method.refused(
                    "it has alternatives, for which the service scans: no range of keys covers both (query class"
                            + " table-scan)",
                    "Derive a method for each, and join their results in a default method.");
        }
        String reason = keys.isComponent(property)
                ? "'" + property + "' is neither a key of " + keys.entity() + " nor declared as an index"
                : "'" + property + "' is no property of " + keys.entity();
        String names = "; keys and indexes are " + keys.names();
        boolean inPartition = !partition.isEmpty() && partition.stream().allMatch(Criterion::isEquality);
        return method.refused(
                (inPartition
                                ? "it would read a whole partition and filter it (query class partition): "
                                : "it would read the whole table (query class table-scan): ")
                        + reason
                        + names,
                "Declare an index of this property and name the partition beside it, or write a default method that"
                        + " calls query(..), whose cost is then in sight.");
    }

    private DerivedLookup<T> byIndex(Criterion<T> criterion) {
        Index<T, Object> index = ((IndexedProperty<T>) criterion.property()).index();
        if (indexed.size() > 1 || !rows.isEmpty()) {
            throw method.refused(
                    "a lookup by the index " + index.name() + " has no further condition but the partition",
                    "Filter its results in a default method.");
        }
        if (index.isGlobal()) {
            if (!partition.isEmpty() || !criterion.isEquality()) {
                throw method.refused(
                        "a lookup by the index " + index.name() + ", which is global, has one value and no partition",
                        "Name this property alone, or declare an index that is not global.");
            }
            return new ValuesLookup<>(arguments -> IndexLookup.global(index, arguments[criterion.argument()]), true);
        }
        KeyText partitionKey = partition();
        if (criterion.isEquality() && index.isUnique()) {
            return new UniqueLookup<>(index, partitionKey, criterion.argument());
        }
        return new ValuesLookup<>(
                arguments -> values(index, partitionKey.apply(arguments), criterion, arguments),
                criterion.isEquality());
    }

    private static <T> IndexLookup<T> values(
            Index<T, Object> index, String partitionKey, Criterion<T> criterion, Object... arguments) {
        String first = index.keyText(arguments[criterion.argument()]);
        if (criterion.isEquality()) {
            return IndexLookup.value(index, partitionKey, arguments[criterion.argument()]);
        }
        KeyOperator operator = criterion.operator();
        String last = index.keyText(arguments[criterion.argument() + operator.arguments() - 1]);
        return new IndexLookup<>(
                index,
                Optional.of(partitionKey),
                Optional.empty(),
                Optional.ofNullable(operator.from(first)),
                Optional.ofNullable(operator.below(first, last)),
                MAX_PAGE);
    }

    private KeyText partition() {
        KeyFormat format = keys.format(true);
        boolean whole = partition.size() == 1 && partition.get(0).property() instanceof WholeKey<T>;
        boolean parts = format != null
                && partition.size() == keys.parts(true)
                && partition.stream().allMatch(criterion -> criterion.property() instanceof PartOfKey<T>);
        if (partition.stream().allMatch(Criterion::isEquality) && (whole || parts)) {
            int argument = partition.get(0).argument();
            return whole || format == null
                    ? arguments -> (String) arguments[argument]
                    : format(format, sorted(partition));
        }
        throw method.refused(
                partition.isEmpty()
                        ? "it names no partition, so that it would read the whole table (query class table-scan)"
                        : "it does not name one partition by its whole key, so that it would read many (query class"
                                + " partition-range)",
                "Name the partition: its key" + (format == null ? "" : " or each of its parts, " + format.names())
                        + ", each compared for equality. Or write a default method that calls query().");
    }

    private DerivedLookup<T> byRowKey(KeyText partitionKey) {
        if (rows.size() > 1) {
            throw method.refused("it compares the row key twice", "Use Between for a range.");
        }
        Criterion<T> criterion = rows.get(0);
        int first = criterion.argument();
        if (criterion.isEquality()) {
            return new PointLookup<>(partitionKey, arguments -> (String) arguments[first]);
        }
        KeyOperator operator = criterion.operator();
        int last = first + operator.arguments() - 1;
        return new RowsLookup<>(
                ROW_RANGE,
                partitionKey,
                arguments -> Optional.of(operator.rows((String) arguments[first], (String) arguments[last])));
    }

    private DerivedLookup<T> byParts(KeyText partitionKey) {
        KeyFormat format = Objects.requireNonNull(keys.format(false), "a part of a key has a format");
        List<Criterion<T>> parts = sorted(rows);
        for (int i = 0; i < parts.size(); i++) {
            Criterion<T> part = parts.get(i);
            if (!part.isEquality() || !(part.property() instanceof PartOfKey<T> of) || of.position() != i) {
                throw method.refused(
                        "it would read a whole partition and filter it (query class partition): of a composite row key"
                                + " the first parts are compared for equality",
                        "Name the first parts in their order, " + format.names()
                                + ", or write a default method that calls query(..).rowRange(..).");
            }
        }
        if (parts.size() == keys.parts(false)) {
            return new PointLookup<>(partitionKey, format(format, parts));
        }
        if (isHashed(format)) {
            throw method.refused(
                    "it would read a whole partition (query class partition): the row key begins with a hash of all"
                            + " its parts",
                    "Name all parts, " + format.names() + ", or take the hash out of the row key.");
        }
        int[] places = places(parts);
        return new RowsLookup<>(
                ROW_RANGE,
                partitionKey,
                arguments -> Optional.of(KeyOperator.STARTING_WITH.rows(format.prefix(values(places, arguments)), "")));
    }

    /** A format checks its hash before its values. */
    private static boolean isHashed(KeyFormat format) {
        try {
            format.prefix();
            return false;
        } catch (IllegalArgumentException e) {
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private List<Criterion<T>> sorted(List<Criterion<T>> criteria) {
        return criteria.stream()
                .sorted(Comparator.comparingInt(
                        criterion -> criterion.property() instanceof PartOfKey<T> part ? part.position() : -1))
                .toList();
    }

    private static <T> KeyText format(KeyFormat format, List<Criterion<T>> parts) {
        int[] places = places(parts);
        return arguments -> format.format(values(places, arguments));
    }

    private static <T> int[] places(List<Criterion<T>> parts) {
        return parts.stream().mapToInt(Criterion::argument).toArray();
    }

    private static Object[] values(int[] places, Object... arguments) {
        Object[] values = new Object[places.length];
        for (int i = 0; i < places.length; i++) {
            values[i] = arguments[places[i]];
        }
        return values;
    }
}
