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
    private List<AccountRelay> running = List.of();

    /**
     * A relay that runs.
     *
     * @param account the name of its account
     * @param consumer its consumer of hints
     */
    record AccountRelay(String account, QueueConsumer consumer) {}

    OutboxRelays(ObjectProvider<Stowline> clients) {
        this.clients = clients;
    }

    @Override
    public synchronized void start() {
        running = clients.stream()
                .filter(client -> client.endpoints().keySet().containsAll(SERVICES))
                .map(client ->
                        new AccountRelay(client.accountName(), client.outbox().relay()))
                .toList();
    }

    @Override
    public synchronized void stop() {
        running.forEach(relay -> relay.consumer().close());
        running = List.of();
    }

    /** Returns the relays that run; none before the start and after the stop. */
    synchronized List<AccountRelay> running() {
        return running;
    }

    @Override
    public synchronized boolean isRunning() {
        return !running.isEmpty();
    }
}
