/**
 * The queue consumer: its state machine, leases that are renewed, handlers that can be cancelled, counts of failures and poison. The public
 * classes of queues use it. It calls the room of queue operations and the transport.
 */
@NullMarked
package io.stowline.queue.internal.consumer;

import org.jspecify.annotations.NullMarked;
