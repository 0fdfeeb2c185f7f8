package io.stowline.spring.boot.resilience4j;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.stowline.CircuitBreakers;
import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The circuit breakers of the clients: the instances of the application's registry that have the names of their services. */
@Order(Ordered.HIGHEST_PRECEDENCE) // the application's customizers have the last word
final class AccountBreakers implements StowlineBuilderCustomizer {

    private static final Logger LOG = LoggerFactory.getLogger(AccountBreakers.class);
    private static final CircuitBreakerConfig DEFAULTS = CircuitBreakerConfig.ofDefaults();

    private final ObjectProvider<CircuitBreakerRegistry> registries;

    AccountBreakers(ObjectProvider<CircuitBreakerRegistry> registries) {
        this.registries = registries;
    }

    /** Changes nothing: which breakers a client gets depends on its account. */
    @Override
    public void customize(Stowline.Builder builder) {}

    @Override
    public void customize(String account, Stowline.Builder builder) {
        CircuitBreakerRegistry registry = registries.getIfUnique();
        if (registry != null
                && InstanceNames.SERVICES.stream().anyMatch(service -> registry.find(InstanceNames.of(account, service))
                        .isPresent())) {
            builder.circuitBreakers(
                    CircuitBreakers.byService(service -> breaker(registry, InstanceNames.of(account, service))));
        }
    }

    private static @Nullable CircuitBreaker breaker(CircuitBreakerRegistry registry, String name) {
        return registry.find(name)
                .map(configured -> counting(registry, name, configured))
                .orElse(null);
    }

    /** Which attempts are failures is the client's rule: it reports each of them as one exception, which must be recorded. */
    private static CircuitBreaker counting(CircuitBreakerRegistry registry, String name, CircuitBreaker configured) {
        CircuitBreakerConfig config = configured.getCircuitBreakerConfig();
        if (config.getRecordExceptionPredicate() == DEFAULTS.getRecordExceptionPredicate()
                && config.getIgnoreExceptionPredicate() == DEFAULTS.getIgnoreExceptionPredicate()) {
            return configured;
        }
        CircuitBreaker counting = CircuitBreaker.of(
                name,
                CircuitBreakerConfig.from(config)
                        .recordExceptions()
                        .ignoreExceptions()
                        .recordException(DEFAULTS.getRecordExceptionPredicate())
                        .ignoreException(DEFAULTS.getIgnoreExceptionPredicate())
                        .build(),
                configured.getTags());
        ReplacedInstance.forward(counting.getEventPublisher(), configured.getEventPublisher());
        registry.replace(name, counting);
        LOG.info(
                "Settings of the circuit breaker '{}' for recorded and ignored exceptions have no effect: the client"
                        + " counts throttling, faults of the service and lost responses as failures, and all other"
                        + " responses as successes.",
                name);
        return counting;
    }
}
