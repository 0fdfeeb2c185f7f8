/**
 * The context that the faces of a table share, writers of single operations, and explicit transactions. The query, index and client rooms use
 * it. It calls writer, write, request and codec.
 */
@NullMarked
package io.stowline.table.internal.operation;

import org.jspecify.annotations.NullMarked;
