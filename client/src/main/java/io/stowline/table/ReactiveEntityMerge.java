package io.stowline.table;

import io.stowline.outcome.WriteResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link EntityMerge}: the same steps, which check at once, and ends that send with each subscription. Immutable
 * and thread-safe.
 *
 * @param <T> the table's type
 */
public interface ReactiveEntityMerge<T> {

    /**
     * Sets a property; see {@link EntityMerge#set}.
     *
     * @param property a component, a path, or the property's name in the table
     * @param value its value
     * @return the merge that sets it, too
     * @throws IllegalArgumentException if the property or its value is not allowed
     */
    ReactiveEntityMerge<T> set(String property, @Nullable Object value);

    /**
     * Makes {@link #update} conditional on one version; see {@link EntityMerge#ifMatch}.
     *
     * @param etag the version
     * @return the conditional merge
     * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header
     */
    ReactiveEntityMerge<T> ifMatch(String etag);

    /**
     * Sets the properties of an entity that must be there; see {@link EntityMerge#update}.
     *
     * @return what was written
     */
    Mono<WriteResult> update();

    /**
     * Sets the properties of an entity, or makes it; see {@link EntityMerge#insertOrMerge}.
     *
     * @return what was written
     */
    Mono<WriteResult> insertOrMerge();
}
