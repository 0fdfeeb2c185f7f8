/**
 * The faces of queues that applications hold: queues, sharded queues and poison queues, their messages and leases, and consumers.
 * {@code io.stowline} makes them. It calls all other rooms of queues.
 */
@NullMarked
package io.stowline.queue.internal.client;

import org.jspecify.annotations.NullMarked;
