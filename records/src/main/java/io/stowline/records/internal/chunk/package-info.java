/**
 * The chunks of a writer: records that are sent together, in memory or in a journal. The engine and the blobs call it. It calls the
 * journal.
 */
@NullMarked
package io.stowline.records.internal.chunk;

import org.jspecify.annotations.NullMarked;
