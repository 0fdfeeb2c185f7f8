/**
 * The lease of one message: its renewals, the notes that the message carries, and its one end. Consumers and held messages use it. It calls
 * the channel of the queue.
 */
@NullMarked
package io.stowline.queue.internal.consumer.lease;

import org.jspecify.annotations.NullMarked;
