/**
 * The outbox: messages that wait as rows beside entities, the hints that point to them, and the relay that sends them. {@code io.stowline} uses
 * it, and transactions by an interface of the writer room. It calls operation, query, writer, write, request and codec, and the queues of the client.
 */
@NullMarked
package io.stowline.table.internal.outbox;

import org.jspecify.annotations.NullMarked;
