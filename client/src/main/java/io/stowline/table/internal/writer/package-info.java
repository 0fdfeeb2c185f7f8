/**
 * Batched writes: lanes of queued operations, their journal, and the table service that all writers of a client share. The public classes
 * of tables use it. It calls all other rooms of tables.
 */
@NullMarked
package io.stowline.table.internal.writer;

import org.jspecify.annotations.NullMarked;
