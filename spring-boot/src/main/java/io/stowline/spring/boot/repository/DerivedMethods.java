package io.stowline.spring.boot.repository;

import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.repository.DerivedLookup.UniqueLookup;
import io.stowline.spring.boot.repository.DerivedLookup.ValuesLookup;
import io.stowline.spring.boot.repository.DerivedMethod.ResultForm;
import io.stowline.spring.boot.repository.DerivedName.Verb;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
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
        new DerivedParameters<>(method, name, keys).check(lookup, result, query);
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
}
