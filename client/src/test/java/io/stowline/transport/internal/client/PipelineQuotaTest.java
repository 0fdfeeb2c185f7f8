package io.stowline.transport.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.request.ExecutionOptions;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PipelineQuotaTest {

    private static final String BUSY = Bench.jsonError("ServerBusy", "text");

    /** Enough for one throttled retry; two seconds bring enough for the next. */
    private final QuotaSettings small = QuotaSettings.builder()
            .capacity(10)
            .throttledCost(10)
            .transientCost(10)
            .refillPerSecond(1)
            .build();

    private final Bench bench = new Bench(
            timer -> new ServiceLimits(
                    PartitionedGate.of(ParallelismSettings.fixed(4), timer),
                    RetryQuota.of(small, timer),
                    CircuitBreakerGuard.OFF,
                    null),
            null);
    private final FakeWire wire = bench.wire();

    @Test
    @DisplayName("RETRY-6: a direct call that meets an empty quota fails, saying that the client refused, with the last"
            + " error of the service")
    void refused() {
        wire.responds(503, BUSY).responds(503, BUSY);
        Bench.Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(3));

        StorageException error = outcome.storageError();
        assertThat(error)
                .isExactlyInstanceOf(ThrottledException.class)
                .hasMessageContaining("this client refused to retry")
                .hasMessageContaining("ServerBusy");
        assertThat(error.failure().attempts()).isEqualTo(2);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: what is paced waits for the quota instead, and loses nothing")
    void paced() {
        wire.responds(503, BUSY).responds(503, BUSY).responds(200, "done");
        Bench.Outcome<String> outcome =
                bench.start(Bench.call(OperationType.WRITE).with(ExecutionOptions::paced));
        bench.pass(Duration.ofMinutes(2));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(wire.times()).hasSize(3);
        assertThat(wire.times().get(2)).isGreaterThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("RETRY-6: a refusal that the client has mended itself costs nothing")
    void remedied() {
        Bench late = new Bench(4, Duration.ofMinutes(-20));
        late.wire()
                .responds(403, Bench.jsonError("AuthenticationFailed", "text"), "Date", "Thu, 29 Feb 2024 12:00:00 GMT")
                .responds(200, "done");

        assertThat(late.start(OperationType.WRITE).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("RETRY-6: one reset of every connection does not empty the quota: all calls succeed")
    void oneResetOfEveryConnection() {
        int parallelism = 1_000;
        Bench wide = new Bench(
                timer -> new ServiceLimitsFactory(
                                "acct",
                                ClientSettings.ClientBounds.DEFAULT.with(ParallelismSettings.fixed(parallelism)),
                                timer)
                        .of(Service.TABLE),
                null);
        for (int i = 0; i < parallelism; i++) {
            wide.wire().breaksAfter(Duration.ofSeconds(1), new IOException("reset"));
        }
        List<Bench.Outcome<String>> calls = new ArrayList<>();
        for (int i = 0; i < parallelism; i++) {
            calls.add(wide.start(OperationType.READ));
        }
        for (int i = 0; i < parallelism; i++) {
            wide.wire().responds(200, "done");
        }
        wide.pass(Duration.ofSeconds(10));

        assertThat(calls).allSatisfy(call -> assertThat(call.value()).isEqualTo("done"));
    }
}
