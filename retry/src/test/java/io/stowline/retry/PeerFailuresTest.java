package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.VirtualTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The measured failures of others' back-offs and limits, with the numbers of those measurements; see
 * docs/internals/peer-failures.md.
 */
class PeerFailuresTest {

    private static final Duration CAP = Duration.ofSeconds(10);
    private static final double IDLE_LATENCY = 0.010;
    private static final int KNEE = 50;

    @ParameterizedTest
    @ValueSource(ints = {34, 40, 62, 63, 64, 100, 1_024, Integer.MAX_VALUE})
    @DisplayName("M11: no number of retries makes a delay negative, zero or small again")
    void theExponentDoesNotOverflow(int retry) {
        Random random = new Random(retry);
        for (Backoff backoff : new Backoff[] {
            Backoff.of(Duration.ofMillis(800), Duration.ZERO, CAP), Backoff.standard(), Backoff.interactive()
        }) {
            Duration longest = backoff.max(retry);
            assertThat(longest).isEqualTo(backoff.max(33)).isPositive();
            assertThat(backoff.delay(retry, random))
                    .isBetween(longest.multipliedBy(8).dividedBy(10), longest);
        }
    }

    @Test
    @DisplayName("M12: delays at the cap still differ, so that clients throttled together do not come back together")
    void theCapKeepsTheJitter() {
        Backoff backoff = Backoff.of(Duration.ofMillis(500), Duration.ZERO, CAP).spreadAtCap();
        Random random = new Random(12);
        for (int retry = 11; retry <= 20; retry++) {
            Set<Duration> distinct = new HashSet<>();
            for (int draw = 0; draw < 1_000; draw++) {
                distinct.add(backoff.delay(retry, random));
            }
            assertThat(distinct).hasSizeGreaterThan(990).allMatch(delay -> delay.toMillis() >= 8_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 1_000})
    @DisplayName("M15: where the latency is 10 ms x max(1, limit / 50), the limit does not run to its maximum of 1,000")
    void theLimitFindsTheKnee(int workers) {
        VirtualTime time = new VirtualTime();
        Gate gate =
                Gate.adaptive(ParallelismSettings.builder().min(1).max(1_000).build(), time);
        Model model = new Model(time, gate);
        for (int i = 0; i < workers; i++) {
            model.work();
        }
        time.runUntil(240);
        model.forget();
        time.runUntil(360);
        assertThat(gate.limit()).isBetween(KNEE / 2, 2 * KNEE);
        assertThat(model.done / 120.0).as("per second").isGreaterThan(0.9 * KNEE / IDLE_LATENCY);
        assertThat(model.latencySum / model.done).as("mean latency").isLessThan(2 * IDLE_LATENCY);
    }

    /** Workers whose every call takes longer in proportion to what is in flight beyond the knee. */
    private static final class Model {

        private final VirtualTime time;
        private final Gate gate;
        private long done;
        private double latencySum;

        Model(VirtualTime time, Gate gate) {
            this.time = time;
            this.gate = gate;
        }

        void forget() {
            done = 0;
            latencySum = 0;
        }

        void work() {
            gate.request(PermitPriority.NORMAL, permit -> {
                double latency = IDLE_LATENCY * Math.max(1, gate.inUse() / (double) KNEE);
                time.in(latency, () -> {
                    done++;
                    latencySum += latency;
                    permit.responded("write");
                    work();
                });
            });
        }
    }
}
