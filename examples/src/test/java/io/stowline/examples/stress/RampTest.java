package io.stowline.examples.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.testkit.SentRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RampTest {

    private final AtomicLong clock = new AtomicLong();

    static LoadSample sample(int partitions, double offered, double accepted, double throttled, double held) {
        return new LoadSample(
                partitions, offered, accepted, throttled, held, 0, 5, 50, new LoadSample.PermitRange(2, 8), 1);
    }

    @Test
    void risesUntilTheServiceThrottles() {
        Ramp ramp = new Ramp(100, 1_000);
        ramp.take(sample(1, 100, 100, 0, 0));
        assertThat(ramp.next().orElseThrow()).isCloseTo(140, within(1e-6));
        ramp.take(sample(1, 140, 137, 3, 0));
        assertThat(ramp.next().orElseThrow()).isCloseTo(196, within(1e-6));
        ramp.take(sample(1, 196, 150, 46, 0));

        assertThat(ramp.next()).isEmpty();
    }

    @Test
    void endsWhenLatencyHoldsTheLoadBack() {
        Ramp ramp = new Ramp(100, 1_000);
        ramp.take(sample(1, 100, 90, 0, 10));

        assertThat(ramp.next()).isEmpty();
    }

    @Test
    void endsWithFailures() {
        Ramp ramp = new Ramp(100, 1_000);
        ramp.take(new LoadSample(1, 100, 99, 0, 0, 1, 5, 50, new LoadSample.PermitRange(2, 8), 0));

        assertThat(ramp.next()).isEmpty();
    }

    @Test
    void doesNotExceedTheHighestRate() {
        Ramp ramp = new Ramp(90, 100);
        ramp.take(sample(1, 90, 90, 0, 0));
        assertThat(ramp.next()).hasValue(100);
        ramp.take(sample(1, 100, 100, 0, 0));

        assertThat(ramp.next()).isEmpty();
        assertThat(new Ramp(200, 100).next()).hasValue(100);
    }

    @Test
    void findsPercentiles() {
        List<Long> latencies = new ArrayList<>();
        assertThat(LoadStep.percentile(latencies, 0.5)).isZero();
        for (int i = 3_000; i >= 1; i--) {
            latencies.add(i * 1_000_000L);
        }

        assertThat(LoadStep.percentile(latencies, 0.5)).isEqualTo(1_500);
        assertThat(LoadStep.percentile(latencies, 0.99)).isEqualTo(2_970);
        assertThat(LoadStep.percentile(latencies, 1)).isEqualTo(3_000);
    }

    @Test
    void refusesWhatIsAboveTheTargetOfAPartition() {
        SimulatedTargets targets = new SimulatedTargets(20, 1_000, clock::get);

        assertThat(targets.isAbove(entity("a"))).isFalse();
        assertThat(targets.isAbove(entity("a"))).isFalse();
        assertThat(targets.isAbove(entity("a"))).as("a third at once").isTrue();
        assertThat(targets.isAbove(entity("b"))).as("of another partition").isFalse();
        clock.addAndGet(50_000_000);
        assertThat(targets.isAbove(entity("a")))
                .as("after a twentieth of a second")
                .isFalse();
        assertThat(targets.isAbove(entity("a"))).isTrue();
    }

    @Test
    void refusesWhatIsAboveTheTargetOfTheAccount() {
        SimulatedTargets targets = new SimulatedTargets(20, 30, clock::get);

        assertThat(targets.isAbove(entity("a"))).isFalse();
        assertThat(targets.isAbove(entity("b"))).isFalse();
        assertThat(targets.isAbove(entity("c"))).isFalse();
        assertThat(targets.isAbove(entity("d"))).isTrue();
    }

    @Test
    void countsTheEntitiesOfATransaction() {
        SimulatedTargets targets = new SimulatedTargets(100, 1_000, clock::get);
        String eight = "PUT http://127.0.0.1/account/t(PartitionKey='a',RowKey='1') HTTP/1.1\n".repeat(8);
        SentRequest transaction = SentRequest.of("POST", "/account/$batch", Map.of(), eight.getBytes(UTF_8));

        assertThat(targets.isAbove(transaction)).isFalse();
        assertThat(targets.isAbove(transaction)).isTrue();
        clock.addAndGet(60_000_000);
        assertThat(targets.isAbove(transaction)).isFalse();
    }

    @Test
    void letsEverythingElsePass() {
        SimulatedTargets targets = new SimulatedTargets(1, 1, clock::get);
        SentRequest table = SentRequest.of("POST", "/account/Tables", Map.of(), new byte[0]);

        for (int i = 0; i < 10; i++) {
            assertThat(targets.isAbove(table)).isFalse();
        }
    }

    private static SentRequest entity(String partition) {
        return SentRequest.of("PUT", "/account/t(PartitionKey='" + partition + "',RowKey='1')", Map.of(), new byte[0]);
    }
}
