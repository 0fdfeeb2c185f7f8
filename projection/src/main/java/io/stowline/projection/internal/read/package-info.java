/**
 * Readers that make values of Java types out of properties. The scan room composes them, and {@code stowline-client} reads stored values by them. It calls type and edm.
 */
@NullMarked
package io.stowline.projection.internal.read;

import org.jspecify.annotations.NullMarked;
