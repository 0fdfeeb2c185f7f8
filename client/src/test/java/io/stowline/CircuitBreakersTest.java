package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CircuitBreakersTest {

    @Test
    @DisplayName("RETRY-6: breakers by service have names of the application, and a service may have none")
    void byService() {
        CircuitBreaker breaker = CircuitBreaker.ofDefaults("mine");
        List<String> services = new ArrayList<>();
        CircuitBreakers breakers = CircuitBreakers.byService(service -> {
            services.add(service);
            return service.equals("table") ? breaker : null;
        });

        CircuitBreakerGuard guard = breakers.byName().apply("acct-table");
        guard.failed(Duration.ofMillis(1), "503 ServerBusy");

        assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(1);
        assertThat(breakers.byName().apply("acct-queue")).isSameAs(CircuitBreakerGuard.OFF);
        assertThat(services).containsExactly("table", "queue");
    }
}
