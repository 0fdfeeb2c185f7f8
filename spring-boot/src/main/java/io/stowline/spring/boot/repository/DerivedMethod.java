package io.stowline.spring.boot.repository;

import io.stowline.spring.boot.repository.DerivedName.Verb;
import java.util.Optional;

/**
 * A derived method, ready to be called. Immutable.
 *
 * @param method its names, for messages
 * @param verb what becomes of the entities
 * @param lookup how they are found
 * @param result the form of the result
 * @param stored whether entities come with their ETags
 * @param <T> the type of the entities
 */
record DerivedMethod<T>(
        RepositoryMethod method, Verb verb, DerivedLookup<T> lookup, ResultForm result, boolean stored) {

    /** The form of a result. */
    enum ResultForm {
        /** An {@code Optional}, or a {@code Mono} of an entity. */
        ONE,
        LIST,
        /** A {@code Stream}, or a {@code Flux}. */
        STREAM,
        PAGE,
        /** True if there is an entity, or was one. */
        FLAG,
        NOTHING
    }

    /** Returns the page size of a call: the last parameter but one. */
    int pageSize(Object... arguments) {
        return (Integer) arguments[arguments.length - 2];
    }

    /** Returns the page token of a call: its last parameter. */
    @SuppressWarnings("unchecked") // checked when the repository was made
    Optional<String> token(Object... arguments) {
        return (Optional<String>) arguments[arguments.length - 1];
    }

    /** Returns the failure of a method that returns one entity of several. */
    IllegalStateException severalFound() {
        return new IllegalStateException(method + " found more than one entity; return a List or a Query.Page");
    }
}
