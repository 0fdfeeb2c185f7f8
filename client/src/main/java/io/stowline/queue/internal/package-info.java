/**
 * Operations on queues and messages: bodies and their codecs, leases, limits of times, and what a lost response means. The other
 * rooms of queues use it. It calls the transport and the clients of the Azure SDK.
 */
@NullMarked
package io.stowline.queue.internal;

import org.jspecify.annotations.NullMarked;
