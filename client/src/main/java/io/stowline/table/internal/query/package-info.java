/**
 * Pages of queries, their decoding, point reads through the cache, and the listing of tables. The public classes of tables and the writer
 * room use it. It calls write, request and codec.
 */
@NullMarked
package io.stowline.table.internal.query;

import org.jspecify.annotations.NullMarked;
