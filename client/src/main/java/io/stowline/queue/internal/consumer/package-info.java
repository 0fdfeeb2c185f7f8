/**
 * The queue consumer: its state machine, leases that are renewed, handlers that can be cancelled and counts of failures. The public
 * classes of queues use it. It calls the rooms of queue operations and of poison, and the transport.
 */
@NullMarked
package io.stowline.queue.internal.consumer;

import org.jspecify.annotations.NullMarked;
