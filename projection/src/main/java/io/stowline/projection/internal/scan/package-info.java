/**
 * The scan of a Java type by the mapping rules, and the reader of its entities. {@code EntityType} and {@code Mapping} use it. It calls
 * read, write, type and edm.
 */
@NullMarked
package io.stowline.projection.internal.scan;

import org.jspecify.annotations.NullMarked;
