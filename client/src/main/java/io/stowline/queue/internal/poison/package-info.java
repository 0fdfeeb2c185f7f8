/**
 * Poison messages: their copies in the poison queue, and the way back. The rooms of the client and of the consumer use it. It
 * calls the room of queue operations.
 */
@NullMarked
package io.stowline.queue.internal.poison;

import org.jspecify.annotations.NullMarked;
