package io.stowline.spring.boot.repository;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.key.KeyFormat;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.repository.DerivedLookup.RowsLookup;
import io.stowline.spring.boot.repository.DerivedMethod.ResultForm;
import io.stowline.spring.boot.repository.DerivedName.Criterion;
import io.stowline.spring.boot.repository.KeyProperty.IndexedProperty;
import io.stowline.spring.boot.repository.KeyProperty.PartOfKey;
import io.stowline.spring.boot.repository.KeyProperty.WholeKey;
import io.stowline.table.Index;
import io.stowline.table.Query;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The parameters of a derived method, as its name, its result and the keys of the table need them.
 *
 * @param <T> the type of the entities
 */
final class DerivedParameters<T> {

    /** Values that each index and each part of a key takes that takes values of their type. */
    private static final Map<Class<?>, Object> SAMPLES = Map.of(
            String.class,
            "a",
            Integer.class,
            0,
            Long.class,
            0L,
            Instant.class,
            Instant.EPOCH,
            LocalDate.class,
            LocalDate.EPOCH,
            Short.class,
            (short) 0,
            UUID.class,
            new UUID(0, 0));

    private static final Set<Class<?>> TYPES_OF_PARTS =
            Set.of(String.class, Short.class, Integer.class, Long.class, Instant.class, UUID.class);

    private final RepositoryMethod method;
    private final DerivedName<T> name;
    private final KeyProperties<T> keys;

    DerivedParameters(RepositoryMethod method, DerivedName<T> name, KeyProperties<T> keys) {
        this.method = method;
        this.name = name;
        this.keys = keys;
    }

    /**
     * Checks their number and types, and that the service takes a query by them.
     *
     * @param query a query of the table, of which nothing is sent
     * @throws StowlineConfigurationException if they do not fit
     */
    void check(DerivedLookup<T> lookup, ResultForm result, Query<T> query) {
        checkNumber(result);
        Object[] samples = samples();
        checkParts(true, samples);
        checkParts(false, samples);
        if (lookup instanceof RowsLookup<T> rows) {
            checkConditions(query, rows, samples);
        }
    }

    private void checkNumber(ResultForm result) {
        int values = name.criteria().stream()
                .mapToInt(criterion -> criterion.operator().arguments())
                .sum();
        boolean paged = result == ResultForm.PAGE;
        int expected = values + (paged ? 2 : 0);
        if (method.method().getParameterCount() != expected) {
            throw method.refused(
                    "it has " + method.method().getParameterCount() + " parameters and needs " + expected,
                    "Give it a parameter for each value that its name compares with, two for Between"
                            + (paged ? ", then 'int size' and 'Optional<String> token'." : "."));
        }
        if (paged
                && !(method.parameter(values).toClass() == int.class
                        && method.parameter(values + 1).toClass() == Optional.class
                        && method.parameter(values + 1).getGeneric(0).toClass() == String.class)) {
            throw method.refused(
                    "it returns a page, and its last parameters are not the size and the token",
                    "Let its parameters end with 'int size, Optional<String> token'.");
        }
        for (Criterion<T> criterion : name.criteria()) {
            for (int i = 0; i < criterion.operator().arguments(); i++) {
                checkType(criterion, criterion.argument() + i);
            }
        }
    }

    private void checkType(Criterion<T> criterion, int argument) {
        KeyProperty<T> property = criterion.property();
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(
                method.parameter(argument).toClass());
        boolean text = property instanceof WholeKey<T> || criterion.operator() == KeyOperator.STARTING_WITH;
        boolean fits = (!text || type == String.class)
                && (property instanceof IndexedProperty<T> indexed
                        ? takes(indexed.index(), SAMPLES.get(type))
                        : TYPES_OF_PARTS.contains(type));
        if (!fits) {
            throw method.refused(
                    "its parameter " + (argument + 1) + " is of the type " + type.getSimpleName() + ", which '"
                            + property.name() + "' does not have",
                    property instanceof WholeKey<T>
                            ? "Keys are texts: give it the type String, or declare the format of the key."
                            : "Give it the type of the values of the "
                                    + (property instanceof IndexedProperty<T> ? "index." : "key's part."));
        }
    }

    /** Returns a value of the type of each parameter. */
    private @Nullable Object[] samples() {
        return IntStream.range(0, method.method().getParameterCount())
                .mapToObj(i -> ClassUtils.resolvePrimitiveIfNecessary(
                        method.parameter(i).toClass()))
                .map(SAMPLES::get)
                .toArray();
    }

    /** The types of a format's parts are known to the format only. */
    private void checkParts(boolean partition, Object... samples) {
        record Part(int position, int argument) {}
        List<Part> parts = name.criteria().stream()
                .filter(criterion -> criterion.property() instanceof PartOfKey<T> part && part.partition() == partition)
                .map(criterion -> new Part(((PartOfKey<T>) criterion.property()).position(), criterion.argument()))
                .sorted(Comparator.comparingInt(Part::position))
                .toList();
        KeyFormat format = keys.format(partition);
        if (format == null || parts.isEmpty()) {
            return;
        }
        Object[] values = parts.stream().map(part -> samples[part.argument()]).toArray();
        try {
            String unused = parts.size() == keys.parts(partition) ? format.format(values) : format.prefix(values);
        } catch (InvalidValueException e) {
            // Its type fits; what values it takes is the matter of calls.
            return;
        } catch (IllegalArgumentException e) {
            throw method.refused(String.valueOf(e.getMessage()), "Give its parameters the types of the key's parts.");
        }
    }

    /** A query of entities leaves the rows of each index out, by two of the comparisons that the service allows. */
    private void checkConditions(Query<T> query, RowsLookup<T> rows, Object... samples) {
        try {
            Query<T> partition = query.partition("a");
            Optional<Query<T>> unused = rows.rows().apply(samples).map(partition::where);
        } catch (InvalidKeyException e) {
            // As above.
            return;
        } catch (InvalidValueException e) {
            throw method.refused(
                    "the service takes no query of so many conditions (query class " + rows.queryClass() + "): "
                            + e.getMessage(),
                    "Declare fewer indexes, each of which adds two comparisons to each query of entities; or read the"
                            + " whole partition.");
        }
    }

    /** The type of an index's values is known to the compiler only. */
    private static boolean takes(Index<?, Object> index, @Nullable Object sample) {
        try {
            return sample != null && !index.keyText(sample).isEmpty();
        } catch (ClassCastException | IllegalArgumentException e) {
            return false;
        }
    }
}
