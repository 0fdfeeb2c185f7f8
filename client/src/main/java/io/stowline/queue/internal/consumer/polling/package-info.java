/**
 * The polls of a consumer: their pace, the queue whose turn it is, and how many messages are received ahead. The consumer uses it. It calls
 * the channel of the queue.
 */
@NullMarked
package io.stowline.queue.internal.consumer.polling;

import org.jspecify.annotations.NullMarked;
