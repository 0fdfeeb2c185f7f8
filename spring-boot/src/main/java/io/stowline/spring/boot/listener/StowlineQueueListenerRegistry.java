package io.stowline.spring.boot.listener;

import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Flux;

/**
 * The containers of all methods with {@link StowlineQueueListener}, by the ids of the listeners. The registry starts them with the application
 * context, after the beans and the web server. It stops them together before the web server, before beans are destroyed and before clients are
 * closed, and waits for their handlers: each listener has its {@code stop-timeout}, all of them have
 * {@code spring.lifecycle.timeout-per-shutdown-phase}. A stop by a listener's method, as when it closes the context, does not wait for
 * that listener. The stop goes on, and another thread closes the client when it has ended.
 *
 * <pre>{@code
 * class Operations {
 *
 *     private final StowlineQueueListenerRegistry listeners;
 *
 *     Operations(StowlineQueueListenerRegistry listeners) {
 *         this.listeners = listeners;
 *     }
 *
 *     void slowDown() {
 *         listeners.listener("orders").concurrency(1);
 *     }
 * }
 * }</pre>
 *
 * <p>While listeners run, a thread keeps the JVM alive, also for those that are started by {@link QueueListenerContainer#start}. Thread-safe.
 */
public final class StowlineQueueListenerRegistry implements SmartLifecycle {

    private final boolean enabled;
    private final Map<String, QueueListenerContainer> containers = new LinkedHashMap<>();
    private volatile boolean running;

    StowlineQueueListenerRegistry(boolean enabled) {
        this.enabled = enabled;
    }

    synchronized void add(QueueListenerContainer container) {
        QueueListenerContainer other = containers.putIfAbsent(container.id(), container);
        if (other != null) {
            throw new StowlineConfigurationException(
                    "Two listeners have the id '" + container.id() + "': " + other.method() + " and "
                            + container.method() + ".",
                    "Give one of them another 'id'. Without one, the id is the name of the queue.");
        }
    }

    /**
     * Returns all listeners.
     *
     * @return their containers, unmodifiable
     */
    public synchronized Collection<QueueListenerContainer> listeners() {
        return List.copyOf(containers.values());
    }

    /**
     * Returns one listener.
     *
     * @param id its id
     * @return its container
     * @throws IllegalArgumentException if no listener has this id
     */
    public synchronized QueueListenerContainer listener(String id) {
        QueueListenerContainer container = containers.get(id);
        if (container == null) {
            throw new IllegalArgumentException("no listener has the id '" + id + "', only " + containers.keySet());
        }
        return container;
    }

    /**
     * Starts the listeners whose {@code auto-startup} is not {@code false}, unless {@code stowline.consumers.enabled} is.
     *
     * @throws RuntimeException naming bean, method and reason if one of them cannot start; then none of them runs
     */
    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        try {
            for (QueueListenerContainer container : containers.values()) {
                if (enabled && container.settings().autoStartup()) {
                    container.start();
                }
            }
        } catch (Throwable e) {
            stop();
            throw e;
        }
    }

    /** Stops all listeners, and waits for that, but not for a listener whose method calls this. */
    @Override
    public void stop() {
        CountDownLatch stopped = new CountDownLatch(1);
        stop(stopped::countDown);
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Stops all listeners without blocking.
     *
     * @param callback is called when all have stopped, but for a listener whose method calls this
     */
    @Override
    public void stop(Runnable callback) {
        running = false;
        Flux.merge(Flux.fromIterable(listeners()).map(QueueListenerContainer::end), Integer.MAX_VALUE)
                .doFinally(end -> callback.run())
                .subscribe();
    }

    /**
     * Returns whether there is something for the context to stop.
     *
     * @return whether the registry is started, or a listener runs or has not ended its stop
     */
    @Override
    public boolean isRunning() {
        return running || listeners().stream().anyMatch(QueueListenerContainer::isRunning);
    }
}
