/**
 * Single writes and transactions, the listing of tables, and the proof of what a lost response left behind. The rooms from writer to client
 * use it. It calls request, codec and json.
 */
@NullMarked
package io.stowline.table.internal.write;

import org.jspecify.annotations.NullMarked;
