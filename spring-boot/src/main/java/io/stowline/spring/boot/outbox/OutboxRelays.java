package io.stowline.spring.boot.outbox;

import io.stowline.Stowline;
import io.stowline.queue.QueueConsumer;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** The relays of the outboxes of an application, one for each client with tables and queues. Thread-safe. */
final class OutboxRelays implements SmartLifecycle {

    private static final Set<String> SERVICES = Set.of("table", "queue");

    private final ObjectProvider<Stowline> clients;
    private List<QueueConsumer> running = List.of();

    OutboxRelays(ObjectProvider<Stowline> clients) {
        this.clients = clients;
    }

    @Override
    public synchronized void start() {
        running = clients.stream()
                .filter(client -> client.endpoints().keySet().containsAll(SERVICES))
                .map(client -> client.outbox().relay())
                .toList();
    }

    @Override
    public synchronized void stop() {
        running.forEach(QueueConsumer::close);
        running = List.of();
    }

    @Override
    public synchronized boolean isRunning() {
        return !running.isEmpty();
    }
}
