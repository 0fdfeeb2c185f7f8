/**
 * The application's code for messages, blocking or reactive, and the threads that run it. The consumer starts and cancels it. It calls the
 * leases of messages.
 */
@NullMarked
package io.stowline.queue.internal.consumer.handler;

import org.jspecify.annotations.NullMarked;
