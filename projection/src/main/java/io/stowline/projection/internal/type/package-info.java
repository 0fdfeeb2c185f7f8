/**
 * The make-up of a Java type: components, constructors, accessors, conversions and the stored form of each component.
 * The read, write and scan rooms use it, the public types too, and {@code stowline-client}. It calls edm.
 */
@NullMarked
package io.stowline.projection.internal.type;

import org.jspecify.annotations.NullMarked;
