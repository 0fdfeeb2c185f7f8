package io.stowline.transport.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.scheduler.Scheduler;

/** However calls end, permits and tokens are back afterwards, and an idle pipeline admits. */
class PipelineLivenessTest {

    private static final int PERMITS = 2;
    private static final int CALLS = 5;

    /** The end of all calls: two are in flight, or in their back-off, and three wait for permits. */
    private enum End {
        CANCEL_IN_FLIGHT,
        CANCEL_IN_BACK_OFF,
        TIME_OUT,
        REFUSAL,
        BREAK,
        CLOSE
    }

    private RetryQuota quota;
    private final Bench bench = new Bench(this::limits, null);
    private final FakeWire wire = bench.wire();

    private ServiceLimits limits(Scheduler timer) {
        quota = RetryQuota.of(QuotaSettings.defaults(), timer);
        return new ServiceLimits(
                PartitionedGate.of(ParallelismSettings.fixed(PERMITS), timer), quota, CircuitBreakerGuard.OFF, null);
    }

    private List<Outcome<String>> calls() {
        List<Outcome<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(bench.start(OperationType.WRITE));
        }
        return calls;
    }

    private void end(End end) {
        for (int i = 0; i < CALLS * 5; i++) {
            switch (end) {
                case CANCEL_IN_BACK_OFF -> wire.responds(503, Bench.jsonError("ServerBusy", "text"));
                case REFUSAL -> wire.respondsAfter(Duration.ofSeconds(1), 400, Bench.jsonError("InvalidInput", "text"));
                case BREAK -> wire.breaksAfter(Duration.ofSeconds(1), new IOException("reset"));
                default -> wire.staysSilent();
            }
        }
        List<Outcome<String>> calls = calls();
        switch (end) {
            case CANCEL_IN_FLIGHT, CANCEL_IN_BACK_OFF -> {
                bench.pass(Duration.ofSeconds(1));
                calls.forEach(Outcome::cancel);
            }
            case CLOSE -> bench.pipeline().abandon();
            default -> bench.pass(Duration.ofMinutes(3));
        }
        if (end != End.CANCEL_IN_FLIGHT && end != End.CANCEL_IN_BACK_OFF) {
            assertThat(calls).allMatch(Outcome::ended);
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    @DisplayName("PERMIT-4, RETRY-6: permits and tokens are back after every end, and an idle pipeline admits at once")
    void allComesBack(End end) {
        end(end);

        assertThat(bench.gate().inUse()).as("permits in use").isZero();
        assertThat(bench.gate().waiting()).as("in line").isZero();
        assertThat(quota.waiting()).isZero();
        if (end == End.CANCEL_IN_BACK_OFF) {
            assertThat(quota.available())
                    .as("tokens of retries that never started")
                    .isEqualTo(quota.capacity());
        }
        bench.pass(Duration.ofMinutes(1));
        assertThat(quota.available()).isEqualTo(quota.capacity());
        if (end != End.CLOSE) {
            int sent = wire.sent().size();
            List<Outcome<String>> next = calls();
            assertThat(wire.sent().size() - sent).as("idle implies admits").isGreaterThanOrEqualTo(PERMITS);
            next.forEach(Outcome::cancel);
            assertThat(bench.gate().inUse()).isZero();
        }
    }
}
