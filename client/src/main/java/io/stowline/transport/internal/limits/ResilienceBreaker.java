package io.stowline.transport.internal.limits;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A circuit breaker of Resilience4j. */
public final class ResilienceBreaker implements CircuitBreakerGuard {

    private final CircuitBreaker breaker;

    private ResilienceBreaker(CircuitBreaker breaker) {
        this.breaker = breaker;
    }

    /**
     * Takes the breakers from a registry.
     *
     * @param registry the application's
     * @return makes the breaker of a service by its name
     */
    public static Function<String, CircuitBreakerGuard> of(CircuitBreakerRegistry registry) {
        return name -> of(registry.circuitBreaker(name));
    }

    /**
     * Takes one breaker.
     *
     * @param breaker the application's
     * @return the guard of a service
     */
    public static CircuitBreakerGuard of(CircuitBreaker breaker) {
        return new ResilienceBreaker(breaker);
    }

    @Override
    public boolean tryPass() {
        return breaker.tryAcquirePermission();
    }

    @Override
    public void succeeded(Duration took) {
        breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void failed(Duration took, String reason) {
        breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, new IOException(reason));
    }

    @Override
    public void releaseUnjudged() {
        breaker.releasePermission();
    }

    @Override
    public String state() {
        return breaker.getState().name().toLowerCase(Locale.ROOT);
    }
}
