/**
 * Indexed tables: index rows, the writes that keep them, the reads by them and their repair. The client room uses it. It calls operation,
 * query, writer, write, request and codec.
 */
@NullMarked
package io.stowline.table.internal.index;

import org.jspecify.annotations.NullMarked;
