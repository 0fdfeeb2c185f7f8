package io.stowline.spring.boot.repository;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.key.KeyFormat;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.repository.DerivedLookup.RowsLookup;
import io.stowline.spring.boot.repository.DerivedLookup.UniqueLookup;
import io.stowline.spring.boot.repository.DerivedLookup.ValuesLookup;
import io.stowline.spring.boot.repository.DerivedMethod.ResultForm;
import io.stowline.spring.boot.repository.DerivedName.Criterion;
import io.stowline.spring.boot.repository.DerivedName.Verb;
import io.stowline.spring.boot.repository.KeyProperty.IndexedProperty;
import io.stowline.spring.boot.repository.KeyProperty.PartOfKey;
import io.stowline.spring.boot.repository.KeyProperty.WholeKey;
import io.stowline.table.Index;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The derived methods of a repository, with their parameters and results checked. Immutable.
 *
 * @param <T> the type of the entities
 */
final class DerivedMethods<T> {

    private static final Set<Class<?>> OWN =
            Set.of(StowlineRepository.class, TableRepository.class, ReactiveTableRepository.class);

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

    private final Class<?> entities;
    private final KeyProperties<T> keys;
    private final Query<T> query;
    private final boolean reactive;
    private final Map<Method, DerivedMethod<T>> methods = new HashMap<>();

    /**
     * Derives the methods of a repository.
     *
     * @param query a query of its table, of which nothing is sent: it refuses conditions that the service would
     * @throws StowlineConfigurationException if a method cannot be derived
     */
    DerivedMethods(Class<?> repository, Class<?> entities, KeyProperties<T> keys, Query<T> query) {
        this.entities = entities;
        this.keys = keys;
        this.query = query;
        this.reactive = ReactiveTableRepository.class.isAssignableFrom(repository);
        for (Method method : repository.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !OWN.contains(method.getDeclaringClass())) {
                methods.put(method, derive(new RepositoryMethod(repository, method)));
            }
        }
    }

    /** Returns a derived method; null for one of the library's, and for a default method. */
    @Nullable
    DerivedMethod<T> get(Method method) {
        return methods.get(method);
    }

    private DerivedMethod<T> derive(RepositoryMethod method) {
        DerivedName<T> name = DerivedName.of(method.method().getName(), keys);
        if (name == null) {
            throw noName(method);
        }
        DerivedLookup<T> lookup = new LookupDerivation<>(method, keys, name).lookup();
        if (name.verb() != Verb.FIND && !isPoint(name.verb(), lookup)) {
            throw method.refused(
                    "it concerns more than one entity, or not its key (query class " + lookup.queryClass() + ")",
                    "Name the whole key, or call query(..): first() for one entity of a range, deleteAll() to delete a"
                            + " range.");
        }
        ResultForm result = result(method);
        boolean stored = isStored(method, result);
        if (!allowed(name.verb(), lookup).contains(result)) {
            throw method.refused(
                    "it returns " + method.result() + " for the query class " + lookup.queryClass()
                            + (lookup.isSingle() ? " of one entity" : ""),
                    "Return " + forms(name.verb(), lookup) + ", where the entity may be a StoredEntity with its ETag.");
        }
        checkParameters(method, name, result);
        Object[] samples = samples(method);
        checkParts(method, name, true, samples);
        checkParts(method, name, false, samples);
        if (lookup instanceof RowsLookup<T> rows) {
            checkConditions(method, rows, samples);
        }
        return new DerivedMethod<>(method, name.verb(), lookup, result, stored);
    }

    private static StowlineConfigurationException noName(RepositoryMethod method) {
        String name = method.method().getName();
        if (name.startsWith("count")) {
            return method.refused(
                    "the service has no count: it would read the keys of all entities counted",
                    "Write a default method that calls query(..).count(), whose cost is then in sight, or keep a"
                            + " counter.");
        }
        if (name.matches("(find|read|get|query|stream)(All|First|Top|Distinct)?\\d*(By.*)?")) {
            return method.refused(
                    "names of methods that read begin with findBy",
                    "Rename it; a default method may call query(..).limit(n), and query().stream() reads the whole"
                            + " table.");
        }
        return method.refused(
                "its name begins with none of findBy, existsBy and deleteBy",
                "Rename it, or make it a default method.");
    }

    private static boolean isPoint(Verb verb, DerivedLookup<?> lookup) {
        return lookup.isSingle() && (verb == Verb.EXISTS || !(lookup instanceof UniqueLookup<?>));
    }

    private static Set<ResultForm> allowed(Verb verb, DerivedLookup<?> lookup) {
        return switch (verb) {
            case EXISTS -> EnumSet.of(ResultForm.FLAG);
            case DELETE -> EnumSet.of(ResultForm.FLAG, ResultForm.NOTHING);
            case FIND -> {
                Set<ResultForm> forms = lookup.isSingle()
                        ? EnumSet.of(ResultForm.ONE)
                        : EnumSet.of(ResultForm.LIST, ResultForm.STREAM, ResultForm.PAGE);
                if (lookup instanceof ValuesLookup<?> values && values.equality()) {
                    forms.add(ResultForm.ONE);
                }
                yield forms;
            }
        };
    }

    private String forms(Verb verb, DerivedLookup<?> lookup) {
        String entity = keys.entity();
        return switch (verb) {
            case EXISTS -> reactive ? "Mono<Boolean>" : "boolean";
            case DELETE -> reactive ? "Mono<Boolean> or Mono<Void>" : "boolean or void";
            case FIND ->
                lookup.isSingle()
                        ? (reactive ? "Mono<" : "Optional<") + entity + ">"
                        : reactive
                                ? "Flux<" + entity + "> or Mono<Query.Page<" + entity + ">>"
                                : "List<" + entity + ">, Stream<" + entity + "> or Query.Page<" + entity + ">";
        };
    }

    /** Returns the form of the result; refuses one of the other face. */
    private ResultForm result(RepositoryMethod method) {
        ResolvableType result = method.result();
        Class<?> type = result.toClass();
        ResultForm form = reactive ? reactive(result, type) : blocking(type);
        if (form == null) {
            throw method.refused(
                    "it returns " + result,
                    reactive
                            ? "Return a Mono, a Flux, or a Mono of a Query.Page."
                            : "Return an Optional, a List, a Stream or a Query.Page of entities.");
        }
        return form;
    }

    private static @Nullable ResultForm blocking(Class<?> type) {
        return type == Optional.class
                ? ResultForm.ONE
                : type == List.class
                        ? ResultForm.LIST
                        : type == Stream.class
                                ? ResultForm.STREAM
                                : type == Query.Page.class
                                        ? ResultForm.PAGE
                                        : type == boolean.class
                                                ? ResultForm.FLAG
                                                : type == void.class ? ResultForm.NOTHING : null;
    }

    private static @Nullable ResultForm reactive(ResolvableType result, Class<?> type) {
        Class<?> value = result.getGeneric(0).toClass();
        return type == Flux.class
                ? ResultForm.STREAM
                : type != Mono.class
                        ? null
                        : value == Query.Page.class
                                ? ResultForm.PAGE
                                : value == Boolean.class
                                        ? ResultForm.FLAG
                                        : value == Void.class ? ResultForm.NOTHING : ResultForm.ONE;
    }

    /** Returns whether entities come with their ETags; refuses results of another type than the table's. */
    private boolean isStored(RepositoryMethod method, ResultForm result) {
        if (result == ResultForm.FLAG || result == ResultForm.NOTHING) {
            return false;
        }
        ResolvableType value = method.result().getGeneric(0);
        ResolvableType entity = reactive && result == ResultForm.PAGE ? value.getGeneric(0) : value;
        boolean stored = entity.toClass() == StoredEntity.class;
        if ((stored ? entity.getGeneric(0) : entity).toClass() != entities) {
            throw method.refused(
                    "it returns " + method.result() + ", and the entities are of the type " + entities.getSimpleName(),
                    "Return " + entities.getSimpleName() + " or StoredEntity<" + entities.getSimpleName()
                            + ">; a default method may call query(..).as(..) for another type.");
        }
        return stored;
    }

    private void checkParameters(RepositoryMethod method, DerivedName<T> name, ResultForm result) {
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
                checkType(method, criterion, criterion.argument() + i);
            }
        }
    }

    private void checkType(RepositoryMethod method, Criterion<T> criterion, int argument) {
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
    private static @Nullable Object[] samples(RepositoryMethod method) {
        return IntStream.range(0, method.method().getParameterCount())
                .mapToObj(i -> ClassUtils.resolvePrimitiveIfNecessary(
                        method.parameter(i).toClass()))
                .map(SAMPLES::get)
                .toArray();
    }

    /** The types of a format's parts are known to the format only. */
    private void checkParts(RepositoryMethod method, DerivedName<T> name, boolean partition, Object... samples) {
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
    private void checkConditions(RepositoryMethod method, RowsLookup<T> rows, Object... samples) {
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
