package io.stowline.spring.boot.health;

import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.spring.boot.autoconfigure.DeclaredResource;
import io.stowline.spring.boot.autoconfigure.DeclaredResource.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * An indicator that shows whether one service of an account responds. One read, without retries and within its time, checks whether a
 * declared resource of the service exists, or one named {@code stowlinehealth} if none is declared. The service is up
 * whether or not the resource exists. The log has a line when a service goes down, for another reason too, and one when
 * it works again.
 */
final class StowlineHealthIndicator extends AbstractHealthIndicator {

    private static final String UNDECLARED = "stowlinehealth";

    private static final Logger LOG = LoggerFactory.getLogger(StowlineHealthIndicator.class);

    private final Stowline client;
    private final String service;
    private final URI endpoint;
    private final Runnable read;
    /** The class of the failure since which the service is down. */
    private final AtomicReference<@Nullable String> down = new AtomicReference<>();

    private StowlineHealthIndicator(Stowline client, String service, URI endpoint, Runnable read) {
        super("The read of a Stowline health indicator failed");
        this.client = client;
        this.service = service;
        this.endpoint = endpoint;
        this.read = read;
    }

    /** Returns the indicators of a client's services: {@code tables}, {@code queues} and {@code blobs}, each if its endpoint is known. */
    static Map<String, StowlineHealthIndicator> ofServices(
            Stowline client, Duration timeout, List<DeclaredResource> declared) {
        UnaryOperator<RetrySettings.Builder> once =
                retry -> retry.backoff(Backoff.none()).retries(0).deadline(timeout);
        Map<String, StowlineHealthIndicator> indicators = new TreeMap<>();
        client.endpoints().forEach((service, endpoint) -> {
            switch (service) {
                case "table" -> {
                    String name = resource(declared, Kind.TABLE);
                    indicators.put(
                            "tables", new StowlineHealthIndicator(client, service, endpoint, () -> client.table(name)
                                    .withRetry(once)
                                    .exists()));
                }
                case "queue" -> {
                    String name = resource(declared, Kind.QUEUE);
                    indicators.put(
                            "queues", new StowlineHealthIndicator(client, service, endpoint, () -> client.queue(name)
                                    .withRetry(once)
                                    .exists()));
                }
                default -> {
                    String name = resource(declared, Kind.CONTAINER);
                    indicators.put(
                            "blobs", new StowlineHealthIndicator(client, service, endpoint, () -> client.container(name)
                                    .withRetry(once)
                                    .exists()));
                }
            }
        });
        return indicators;
    }

    private static String resource(List<DeclaredResource> declared, Kind kind) {
        return declared.stream()
                .filter(resource -> resource.kind() == kind)
                .map(DeclaredResource::name)
                .findFirst()
                .orElse(UNDECLARED);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.withDetail("account", client.accountName());
        builder.withDetail("endpoint", endpoint.getRawAuthority());
        long start = System.nanoTime();
        try {
            read.run();
        } catch (StorageException e) {
            down(builder, e);
            return;
        }
        builder.up()
                .withDetail(
                        "latency", Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        if (down.getAndSet(null) != null) {
            LOG.info("The {} service of account '{}' works again", service, client.accountName());
        }
    }

    /** Leaves out the exception's stack: Spring Boot would log it at each probe, and an outage lasts for many. */
    private void down(Health.Builder builder, StorageException e) {
        String kind = e.getClass().getName();
        builder.down().withDetail("error", kind + ": " + e.getMessage());
        if (!kind.equals(down.getAndSet(kind))) {
            LOG.warn(
                    "The {} service of account '{}' at {} is down: {}",
                    service,
                    client.accountName(),
                    endpoint.getRawAuthority(),
                    e.getMessage());
        }
        LOG.debug("The probe of the {} service failed", service, e);
    }
}
