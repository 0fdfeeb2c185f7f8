package io.stowline;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ResilienceBreaker;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    /**
     * Takes the breaker of each service from a function, so that a service may have none, and names are the application's choice.
     *
     * @param breaker the breaker of {@code table}, {@code queue} or {@code blob}; {@code null} for none. It is called once for each service
     * @return the breakers
     */
    public static CircuitBreakers byService(Function<String, @Nullable CircuitBreaker> breaker) {
        Objects.requireNonNull(breaker, "breaker");
        return new CircuitBreakers(name -> {
            CircuitBreaker found = breaker.apply(name.substring(name.lastIndexOf('-') + 1));
            return found == null ? CircuitBreakerGuard.OFF : ResilienceBreaker.of(found);
        });
    }

    Function<String, CircuitBreakerGuard> byName() {
        return byName;
    }
}
