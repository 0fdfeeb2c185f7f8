/**
 * Queries and their pages, point reads, deletions of found entities, and reads through the cache. The index and client rooms use it. It calls
 * operation, write, request and codec.
 */
@NullMarked
package io.stowline.table.internal.query;

import org.jspecify.annotations.NullMarked;
