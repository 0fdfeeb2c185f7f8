/**
 * Channel adapters of Spring Integration for queues: messages of a queue flow into a channel by the library's consumer, and messages of a channel
 * into a queue.
 *
 * <pre>{@code
 * IntegrationFlow flow = IntegrationFlow.from(StowlineQueues.inbound(orders).consumer(c -> c.concurrency(4)))
 *         .handle(order -> log.info("{}", order))
 *         .get();
 * }</pre>
 *
 * <p>The entry is {@link io.stowline.spring.boot.integration.StowlineQueues}. Polling, leases, poison messages and back-pressure are those of
 * {@link io.stowline.queue.QueueConsumer}; channels, error channels and observations are those of Spring Integration, which is optional. This room
 * uses the public API of the client only.
 */
@NullMarked
package io.stowline.spring.boot.integration;

import org.jspecify.annotations.NullMarked;
