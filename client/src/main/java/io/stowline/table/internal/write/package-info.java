/**
 * Single writes and transactions, and the proof of what a lost response left behind. The query and writer rooms and the public classes of
 * tables use it. It calls request, codec and json.
 */
@NullMarked
package io.stowline.table.internal.write;

import org.jspecify.annotations.NullMarked;
