/**
 * The part of a table or a file that a transfer reads, the ranges of a table's keys, which probes find, and their reads through outages. The
 * transfer room uses it. It calls the faces of tables.
 */
@NullMarked
package io.stowline.table.internal.range;

import org.jspecify.annotations.NullMarked;
