/**
 * Reads of tables: the conditions that the service evaluates, the slices that tasks read, and their readers. The table that the planner
 * knows calls it. It calls the options, the schema, the clients and the public API of the client.
 */
@NullMarked
package io.stowline.spark.internal.read;

import org.jspecify.annotations.NullMarked;
