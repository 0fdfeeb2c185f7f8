/**
 * Queues: typed messages that are sent, received under a lease, renewed and deleted. {@link io.stowline.queue.MessageQueue} is the entry,
 * and {@code Stowline.queue} makes one.
 *
 * <pre>{@code
 * // record Order(String id, int amount) {}
 * MessageQueue<Order> orders = storage.queue("orders", Order.class);
 * orders.createIfMissing();
 * orders.send(new Order("A-17", 3));
 * try (QueueConsumer consumer = orders.consume(message -> ship(message.body())).concurrency(16).start()) {
 *     log.info("consuming {}", consumer.queue());
 * }
 * }</pre>
 *
 * <p>A {@link io.stowline.queue.QueueConsumer} polls, renews leases while handlers run, deletes what they completed, repeats what failed,
 * and moves poison to a {@link io.stowline.queue.PoisonQueue}. Where an application receives by hand, a
 * {@link io.stowline.queue.ReceivedMessage} has the receipt for its deletion, and a {@link io.stowline.queue.PeekedMessage} has none.
 *
 * <p>Delivery is at least once and only roughly in FIFO order: a handler must bear a message that comes twice.
 * {@link io.stowline.queue.SendResult#mayHaveRepeated()} shows a send whose response was lost.
 *
 * <p>Bodies are text, bytes or JSON by a {@link io.stowline.queue.MessageCodec}. An envelope adds checkpoints, failure counts across
 * processes, traces, and bodies of any size in blobs. A {@link io.stowline.queue.ShardedQueue} spreads messages over several queues where
 * one is too slow.
 */
@NullMarked
package io.stowline.queue;

import org.jspecify.annotations.NullMarked;
