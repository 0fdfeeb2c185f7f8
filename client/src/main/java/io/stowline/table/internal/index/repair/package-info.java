/**
 * Repairs of indexed tables: sums of the rows that should stand and that do, and what brings them together. The client room uses it. It
 * calls index, operation, query and codec.
 */
@NullMarked
package io.stowline.table.internal.index.repair;

import org.jspecify.annotations.NullMarked;
