package io.stowline.spring.boot.integration;

import io.stowline.queue.MessageQueue;

/**
 * The entry to the channel adapters of queues in the Java DSL of Spring Integration.
 *
 * <pre>{@code
 * IntegrationFlow flow = IntegrationFlow.from(StowlineQueues.inbound(orders).consumer(c -> c.concurrency(4)))
 *         .<Order>filter(order -> order.amount() > 0)
 *         .handle(StowlineQueues.outbound(orders).delay(Duration.ofMinutes(5)))
 *         .get();
 * }</pre>
 *
 * <p>A queue of a further account is a bean of that account, or comes from its client.
 */
public final class StowlineQueues {

    private StowlineQueues() {}

    /**
     * Begins an adapter that sends the messages of a queue into a channel.
     *
     * @param queue the queue, with its codec
     * @param <T> the type of the payloads
     * @return its specification
     */
    public static <T> QueueInboundSpec<T> inbound(MessageQueue<T> queue) {
        return new QueueInboundSpec<>(queue);
    }

    /**
     * Begins a handler that sends the messages of a channel to a queue.
     *
     * @param queue the queue, with its codec
     * @param <T> the type of the payloads
     * @return its specification
     */
    public static <T> QueueOutboundSpec<T> outbound(MessageQueue<T> queue) {
        return new QueueOutboundSpec<>(queue);
    }
}
