/**
 * Batched writes: lanes of queued operations, their journal, and the table service that all writers of a client share. The operation, query,
 * index and client rooms use it, and {@code io.stowline}. It calls write, request and codec.
 */
@NullMarked
package io.stowline.table.internal.writer;

import org.jspecify.annotations.NullMarked;
