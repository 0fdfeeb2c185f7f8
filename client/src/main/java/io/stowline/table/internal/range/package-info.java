/**
 * The part of a table that a transfer reads, and its ranges of keys, which probes find. The transfer room uses it. It calls the faces of tables.
 */
@NullMarked
package io.stowline.table.internal.range;

import org.jspecify.annotations.NullMarked;
