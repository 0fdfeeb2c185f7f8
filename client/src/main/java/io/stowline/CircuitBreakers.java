package io.stowline;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ResilienceBreaker;
import java.util.Objects;
import java.util.function.Function;

/**
 * Circuit breakers for {@link Stowline.Builder#circuitBreakers}. Only this class names types of the optional library
 * {@code resilience4j-circuitbreaker}, so that the rest of the client can be used, proxied and mocked without it.
 *
 * <pre>{@code
 * Stowline storage = Stowline.builder()
 *         .connectionString(connectionString)
 *         .circuitBreakers(CircuitBreakers.of(CircuitBreakerRegistry.ofDefaults()))
 *         .build();
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
@SuppressWarnings("exports") // the library is optional: who uses this class requires it
public final class CircuitBreakers {

    private final Function<String, CircuitBreakerGuard> byName;

    private CircuitBreakers(Function<String, CircuitBreakerGuard> byName) {
        this.byName = byName;
    }

    /**
     * Takes the breakers from a registry of Resilience4j.
     *
     * @param registry the application's registry, with its configurations, events and metrics
     * @return the breakers
     */
    public static CircuitBreakers of(CircuitBreakerRegistry registry) {
        return new CircuitBreakers(ResilienceBreaker.of(Objects.requireNonNull(registry, "registry")));
    }

    Function<String, CircuitBreakerGuard> byName() {
        return byName;
    }
}
