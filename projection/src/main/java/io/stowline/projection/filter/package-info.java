/**
 * Filters: typed conditions on entities in the filter language of the service. Applications and {@code stowline-client} use it. It calls
 * the types of properties.
 */
@NullMarked
package io.stowline.projection.filter;

import org.jspecify.annotations.NullMarked;
