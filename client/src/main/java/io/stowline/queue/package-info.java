/** Queues: typed messages, sent, received under a lease, updated and deleted. */
@NullMarked
package io.stowline.queue;

import org.jspecify.annotations.NullMarked;
