package io.stowline.table;

import io.stowline.outcome.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * A partial update of one entity: sets some properties, leaves all others as they are, and reads nothing before.
 *
 * <pre>{@code
 * runners.merge("full", "01234").set("age", 41).update();
 * }</pre>
 *
 * <p>Immutable and thread-safe: each step gives a new merge. It is written as every single write is, with the same outcomes and
 * failures, and nothing is sent before {@link #update} or {@link #insertOrMerge}.
 *
 * @param <T> the table's type
 */
public interface EntityMerge<T> {

    /**
     * Sets a property; the last of several values for one counts.
     *
     * @param property a component of the table's type, a path such as {@code address.city}, or the property's name in the table; for
     *     {@link Entity} any property
     * @param value its value, of the component's type
     * @return the merge that sets it, too
     * @throws IllegalArgumentException if the type has no such property, naming the nearest; if it is a key or belongs to the service;
     *     if the value is of another type; if it is null: a merge cannot remove a property; if there would be more than 252 properties
     */
    EntityMerge<T> set(String property, @Nullable Object value);

    /**
     * Makes {@link #update} conditional on one version.
     *
     * @param etag the version, as a read or an earlier write gave it
     * @return the conditional merge
     * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header
     */
    EntityMerge<T> ifMatch(String etag);

    /**
     * Sets the properties of an entity that must be there: in the version given to {@link #ifMatch}, otherwise in any.
     *
     * <p>For one version it leaves a marker, one property of about 60 bytes, unless the table's {@link
     * Table#withMarkers} switches that off. If a response is lost, the call reads the entity back. If that leaves the
     * outcome open, it waits within its deadline, up to 35 s with the default settings.
     *
     * @return what was written
     * @throws IllegalStateException if no property is set
     * @throws io.stowline.error.NotFoundException if the entity is not there
     * @throws io.stowline.error.PreconditionFailedException if it is there in another version
     */
    WriteResult update();

    /**
     * Sets the properties of an entity, and makes it of these alone if it is not there.
     *
     * @return what was written
     * @throws IllegalStateException if no property is set, or {@link #ifMatch} was given: with an ETag this would be an update
     */
    WriteResult insertOrMerge();
}
