/** Stowline for Apache Spark. */
@NullMarked
package io.stowline.spark;

import org.jspecify.annotations.NullMarked;
