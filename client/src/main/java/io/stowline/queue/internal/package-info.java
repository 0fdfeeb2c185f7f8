/**
 * Operations on queues and messages: views of messages, their envelopes and leases, limits of times, and lost responses. The other
 * rooms of queues use it. It calls the transport and the clients of the Azure SDK.
 */
@NullMarked
package io.stowline.queue.internal;

import org.jspecify.annotations.NullMarked;
