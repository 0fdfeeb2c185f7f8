/**
 * Filters, which are typed conditions on entities in the filter language of the service. {@link io.stowline.projection.filter.Filter} is
 * the entry.
 *
 * <pre>{@code
 * Filter adults = Filter.property("age").atLeast(18)
 *         .and(Filter.rowKey().startsWith("BIB:"), Filter.property("active").isTrue());
 * List<Runner> found = runners.query().partition("full").where(adults).list();
 * }</pre>
 *
 * <p>Values are written by their type, with quotes and escapes. A query of a record type checks that each value has the type that the
 * record stores: the service finds nothing, without an error, where the types differ.
 *
 * <p>Only {@link io.stowline.projection.filter.Filter#raw} takes text as it is. Applications and {@code stowline-client} use the package;
 * it calls the types of properties.
 */
@NullMarked
package io.stowline.projection.filter;

import org.jspecify.annotations.NullMarked;
