/**
 * The queue consumer: its state machine, the messages that it holds, their settlement and counts of failures. The client room uses it. It
 * calls its rooms of polls, leases and handlers, the rooms of queue operations and of poison, and the transport.
 */
@NullMarked
package io.stowline.queue.internal.consumer;

import org.jspecify.annotations.NullMarked;
