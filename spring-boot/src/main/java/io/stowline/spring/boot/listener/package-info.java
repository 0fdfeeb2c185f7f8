/**
 * Queue listeners: annotated methods of beans that Stowline's queue consumers call, their containers, and the registry that starts and stops them.
 *
 * <pre>{@code
 * @Component
 * class Shipping {
 *     @StowlineQueueListener(queue = "orders")
 *     void ship(Order order) {}
 * }
 * }</pre>
 *
 * <p>{@link io.stowline.spring.boot.listener.StowlineQueueListener} is the entry, and the bean {@link
 * io.stowline.spring.boot.listener.StowlineQueueListenerRegistry} stops and starts single listeners. Leases, poison messages and back-pressure are those
 * of {@link io.stowline.queue.QueueConsumer}.
 *
 * <p>This room uses the public API of the client, {@code account} and {@code autoconfigure}.
 */
@NullMarked
package io.stowline.spring.boot.listener;

import org.jspecify.annotations.NullMarked;
