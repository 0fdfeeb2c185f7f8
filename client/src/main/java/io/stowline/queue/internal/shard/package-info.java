/**
 * Several queues as one: their names, the shard of a key, sends that go round, and the way of a consumer to all of them. The public classes
 * of queues use it. It calls the rooms of queue operations and of the consumer.
 */
@NullMarked
package io.stowline.queue.internal.shard;

import org.jspecify.annotations.NullMarked;
