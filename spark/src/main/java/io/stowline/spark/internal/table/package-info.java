/**
 * The table that Spark's planner knows: its schema, its capabilities, and the way to scans and writes. The entry calls it. It calls the
 * rooms that read and write.
 */
@NullMarked
package io.stowline.spark.internal.table;

import org.jspecify.annotations.NullMarked;
