/**
 * Messages that are stored in the transaction of a row and sent after it. {@link io.stowline.table.outbox.Outbox} is the entry, {@code
 * Stowline.outbox} makes one, and {@link io.stowline.table.Transaction#send} stores a message.
 *
 * <pre>{@code
 * runners.transaction("full").insert(runner).send(orders, order).commit();
 * QueueConsumer relay = storage.outbox().relay();
 * }</pre>
 *
 * <p>A message is sent at least once if its transaction was committed, and never otherwise. Two messages have no order. The copies of a message
 * to a queue with an envelope have one id, by which consumers drop the second one.
 *
 * <p>The client that commits sends at once. A relay, of this client or of another one of the account, sends what was left by a crash, a lost
 * response or a missing queue. It finds such messages by hints in the queue {@code stowline-outbox}, and scans no table.
 *
 * <p>{@code docs/outbox.md} has the costs in requests, and what happens when a queue is gone.
 */
@NullMarked
package io.stowline.table.outbox;

import org.jspecify.annotations.NullMarked;
