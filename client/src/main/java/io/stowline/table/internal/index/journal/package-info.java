/**
 * Journals of writers with indexes: the log of their operations, what it notes of lost references, and the replay of sequences. The client
 * room uses it. It calls index, operation, writer, query and request.
 */
@NullMarked
package io.stowline.table.internal.index.journal;

import org.jspecify.annotations.NullMarked;
