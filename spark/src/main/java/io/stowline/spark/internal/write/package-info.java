/**
 * Writes of rows to a table: the plan with its distribution and order, the writers of tasks, and the settlement of every row.
 *
 * <p>The entry is {@link io.stowline.spark.internal.write.TableWriteBuilder}, which the table of the data source returns. The room uses the options,
 * the clients of executors and the types of columns; it writes by the public API of the client.
 */
@NullMarked
package io.stowline.spark.internal.write;

import org.jspecify.annotations.NullMarked;
