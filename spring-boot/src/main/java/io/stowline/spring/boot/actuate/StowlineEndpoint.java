package io.stowline.spring.boot.actuate;

import io.stowline.Stowline;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.ResponseCache;
import io.stowline.observe.ServiceState;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The Actuator endpoint {@code stowline}: permits, retry quota, writers, queue consumers, circuit breaker and cache of each open client, read-only. It reads
 * memory only, sends nothing, and knows no secret. A service appears when the client is used for it.
 *
 * <p>Thread-safe.
 */
@Endpoint(id = "stowline")
public final class StowlineEndpoint {

    private final OpenServices open;

    StowlineEndpoint(OpenServices open) {
        this.open = open;
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
                        .toList());
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
     */
    public record ClientsDescriptor(
            @Nullable String version, List<ServiceDescriptor> services, List<CacheDescriptor> caches)
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
     * The running queue consumers.
     *
     * @param handlers handlers that run
     * @param messages messages in hand
     * @param backlog about how many messages their queues have
     * @param pollAge how long a poll has been due that the service has not answered
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
}
