package io.stowline.spring.boot.actuate;

import io.stowline.Stowline;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.ResponseCache;
import io.stowline.observe.ServiceState;
import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.listener.QueueListenerContainer;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The Actuator endpoint {@code stowline}: permits, retry quota, writers, queue consumers, circuit breaker and cache of each open client, each queue
 * listener, and the accounts of a ring, read-only. It reads
 * memory only, sends nothing, and knows no secret. A service appears when the client is used for it.
 *
 * <p>Thread-safe.
 */
@Endpoint(id = "stowline")
public final class StowlineEndpoint {

    private final OpenServices open;
    private final Supplier<Collection<QueueListenerContainer>> listeners;
    private final Supplier<List<RingAccountDescriptor>> ring;

    /**
     * Makes the endpoint.
     *
     * @param open the services and caches of the clients
     * @param listeners the queue listeners
     * @param ring the accounts of the ring
     */
    StowlineEndpoint(
            OpenServices open,
            Supplier<Collection<QueueListenerContainer>> listeners,
            Supplier<List<RingAccountDescriptor>> ring) {
        this.open = open;
        this.listeners = listeners;
        this.ring = ring;
    }

    /**
     * Returns the state of all clients.
     *
     * @return the state at this moment
     */
    @ReadOperation
    public ClientsDescriptor clients() {
        return new ClientsDescriptor(
                version(),
                open.services().stream().map(StowlineEndpoint::service).toList(),
                open.caches().entrySet().stream()
                        .map(entry -> cache(entry.getValue(), entry.getKey()))
                        .sorted(Comparator.comparing(CacheDescriptor::account))
                        .toList(),
                listeners.get().stream().map(StowlineEndpoint::listener).toList(),
                ring.get());
    }

    static @Nullable String version() {
        return Stowline.class.getPackage().getImplementationVersion();
    }

    private static ServiceDescriptor service(ServiceState state) {
        return new ServiceDescriptor(
                state.account(),
                state.service(),
                new Permits(state.permitLimit(), state.permitsInUse(), state.permitsWaiting()),
                state.limitedPartitions(),
                new Quota(state.quotaAvailable(), state.quotaCapacity()),
                new Writers(state.bufferedItems(), state.bufferedBytes(), state.pausedWriters()),
                new Consumers(
                        state.handlersRunning(),
                        state.messagesInHand(),
                        state.queueBacklog(),
                        state.pollAge(),
                        state.oldestMessageAge()),
                state.breaker());
    }

    private static ListenerDescriptor listener(QueueListenerContainer listener) {
        QueueConsumer.Stats stats = listener.stats();
        return new ListenerDescriptor(
                listener.id(),
                listener.account(),
                listener.queue(),
                !listener.isRunning() ? "stopped" : listener.isPaused() ? "paused" : "running",
                stats.handlersRunning(),
                stats.messagesInHand(),
                stats.completed(),
                stats.retried(),
                stats.poisoned(),
                listener.unansweredFor(),
                stats.pollFailure());
    }

    private static CacheDescriptor cache(String account, ResponseCache cache) {
        Map<String, Long> reads = new TreeMap<>();
        for (CacheOutcome outcome : CacheOutcome.values()) {
            reads.put(outcome.name().toLowerCase(Locale.ROOT), cache.reads(outcome));
        }
        return new CacheDescriptor(account, reads);
    }

    /**
     * The state of all clients.
     *
     * @param version the version of Stowline; {@code null} if its jar does not name it
     * @param services the services that the clients use
     * @param caches the caches of the clients
     * @param listeners the queue listeners
     * @param ring the accounts of the ring; empty without one
     */
    public record ClientsDescriptor(
            @Nullable String version,
            List<ServiceDescriptor> services,
            List<CacheDescriptor> caches,
            List<ListenerDescriptor> listeners,
            List<RingAccountDescriptor> ring)
            implements OperationResponseBody {}

    /**
     * The state of a client's work with one service.
     *
     * @param account the account's name
     * @param service {@code table}, {@code queue} or {@code blob}
     * @param permits the requests in flight
     * @param limitedPartitions how many partitions are held back because the service has throttled them
     * @param quota the retry quota
     * @param writers the open writers
     * @param consumers the running queue consumers
     * @param circuitBreaker the state of the circuit breaker; {@code off} without one
     */
    public record ServiceDescriptor(
            String account,
            String service,
            Permits permits,
            int limitedPartitions,
            Quota quota,
            Writers writers,
            Consumers consumers,
            String circuitBreaker) {}

    /**
     * The requests in flight.
     *
     * @param limit how many may be in flight
     * @param inUse how many are in flight
     * @param waiting how many wait
     */
    public record Permits(int limit, int inUse, int waiting) {}

    /**
     * The retry quota.
     *
     * @param available its tokens
     * @param capacity its tokens when it is full
     */
    public record Quota(double available, double capacity) {}

    /**
     * The open writers.
     *
     * @param items operations that are accepted and have not ended
     * @param bytes their bytes
     * @param paused writers that are paused
     */
    public record Writers(long items, long bytes, long paused) {}

    /**
     * The running queue consumers of a service, as sums; {@link ListenerDescriptor} has each listener.
     *
     * @param handlers handlers that run
     * @param messages messages in hand
     * @param backlog about how many messages their queues have
     * @param pollAge how long a poll has been due without a response
     * @param oldestMessageAge the age of the oldest message of the last polls
     */
    public record Consumers(long handlers, long messages, long backlog, Duration pollAge, Duration oldestMessageAge) {}

    /**
     * The cache of a client.
     *
     * @param account the account's name
     * @param reads the number of reads by their outcome
     */
    public record CacheDescriptor(String account, Map<String, Long> reads) {}

    /**
     * The state of one queue listener.
     *
     * @param id the listener's id
     * @param account the name below {@code stowline.accounts}; {@code stowline} for the default account
     * @param queue the queue's name
     * @param state {@code running}, {@code paused} or {@code stopped}
     * @param handlers handlers that run
     * @param messages messages in hand
     * @param completed deliveries that were handled
     * @param retried deliveries that failed and are received again
     * @param poisoned deliveries that went to the poison queue
     * @param unansweredFor how long a poll has been due without a response
     * @param pollFailure why the last poll failed; {@code null} if it did not
     */
    public record ListenerDescriptor(
            String id,
            String account,
            String queue,
            String state,
            int handlers,
            int messages,
            long completed,
            long retried,
            long poisoned,
            Duration unansweredFor,
            @Nullable String pollFailure) {}

    /**
     * An account of the ring.
     *
     * @param name the name in the ring
     * @param account the account's name
     * @param region the region whose placements it can have
     * @param weight its share beside the others of the region
     * @param membership {@code staying}, {@code joining} or {@code leaving}
     */
    public record RingAccountDescriptor(String name, String account, String region, int weight, String membership) {}
}
