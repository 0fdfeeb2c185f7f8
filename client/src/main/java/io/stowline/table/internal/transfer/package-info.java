/**
 * Exports, imports, copies and comparisons of tables: scans in parts, writes in full transactions, the state of what was killed. The entry
 * of the client uses it. It calls the format, range, query and operation rooms and the faces of tables.
 */
@NullMarked
package io.stowline.table.internal.transfer;

import org.jspecify.annotations.NullMarked;
