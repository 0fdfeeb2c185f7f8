/**
 * The options of a read or a write, parsed and checked once on the driver. All rooms of the module read them. It calls the public types of
 * the module only.
 */
@NullMarked
package io.stowline.spark.internal.option;

import org.jspecify.annotations.NullMarked;
