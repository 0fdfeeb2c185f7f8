/**
 * Indexed tables: index rows, the writes that keep them, the and the reads by them. The client and repair rooms
 * use it. It calls operation, query, writer, write, request and codec.
 */
@NullMarked
package io.stowline.table.internal.index;

import org.jspecify.annotations.NullMarked;
