package io.stowline.transport.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.BatchOptions;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PipelineBreakerTest {

    private static final RetrySettings ONCE = RetrySettings.builder().retries(0).build();

    private final CircuitBreakerRegistry registry = CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
            .slidingWindowSize(4)
            .minimumNumberOfCalls(4)
            .permittedNumberOfCallsInHalfOpenState(1)
            .build());
    private final CircuitBreaker breaker = registry.circuitBreaker("acct-table");
    private final Bench bench = new Bench(
            timer -> new ServiceLimits(
                    PartitionedGate.of(ParallelismSettings.fixed(4), timer),
                    RetryQuota.unlimited(),
                    ResilienceBreaker.of(registry).apply("acct-table"),
                    null),
            null);
    private final FakeWire wire = bench.wire();

    private Bench.Outcome<String> start() {
        return bench.start(Bench.call(OperationType.WRITE, ONCE));
    }

    @Test
    @DisplayName("RETRY-6: faults, throttling and lost responses open the breaker of the application's registry; then"
            + " nothing is sent")
    void opens() {
        wire.responds(500, "")
                .responds(503, Bench.jsonError("ServerBusy", "text"))
                .responds(504, "");
        wire.breaks(new IOException("reset"));
        for (int i = 0; i < 4; i++) {
            start();
        }
        assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.OPEN);

        CircuitOpenException refused = (CircuitOpenException) start().storageError();
        assertThat(refused.failure().attempts()).isZero();
        assertThat(refused.failure().unansweredAttempts()).isZero();
        assertThat(wire.sent()).hasSize(4);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("RETRY-3: a service that says no with good reason is healthy")
    void logicIsSuccess() {
        for (int i = 0; i < 4; i++) {
            wire.responds(409, Bench.jsonError("EntityAlreadyExists", "text"));
            assertThat(start().storageError()).isInstanceOf(ConflictException.class);
        }
        assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
        assertThat(breaker.getMetrics().getNumberOfSuccessfulCalls()).isEqualTo(4);
    }

    @Test
    @DisplayName("RETRY-6: throttling opens the breaker, though the batch that meets it wants no further attempt")
    void opensWithoutFurtherAttempts() {
        for (int i = 0; i < 4; i++) {
            wire.responds(503, Bench.jsonError("ServerBusy", "text"));
            StorageException end = bench.start(Bench.call(OperationType.WRITE)
                            .forBatch(new BatchOptions(null, Duration.ofMinutes(1), false, () -> false), null))
                    .storageError();

            assertThat(end)
                    .isInstanceOf(ThrottledException.class)
                    .hasMessageContaining("its writer or its caller wanted no further attempt")
                    .hasMessageNotContaining("a retry cannot help");
        }

        assertThat(wire.sent()).hasSize(4);
        assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.OPEN);
    }

    @Test
    @DisplayName("PERMIT-1: an attempt that is cancelled gives its permission back")
    void cancelled() {
        breaker.transitionToOpenState();
        breaker.transitionToHalfOpenState();
        wire.staysSilent().responds(200, "done");
        start().cancel();

        assertThat(start().value()).isEqualTo("done");
        assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
    }

    @Test
    @DisplayName("RETRY-6: an operation between its attempts meets the open breaker and ends, with what it ended with"
            + " before")
    void opensMeanwhile() {
        wire.responds(503, Bench.jsonError("ServerBusy", "text"));
        Bench.Outcome<String> outcome = bench.start(OperationType.WRITE);
        breaker.transitionToOpenState();
        bench.pass(Duration.ofMinutes(1));

        assertThat(outcome.storageError()).hasMessageContaining("circuit breaker");
        assertThat(wire.sent()).hasSize(1);
    }
}
