/**
 * A queue as a consumer uses it, and the executor that runs the steps of a consumer one after the other. The rooms of consumers and of
 * sharded queues use it. It calls the rooms of queue operations and of poison.
 */
@NullMarked
package io.stowline.queue.internal.consumer.channel;

import org.jspecify.annotations.NullMarked;
