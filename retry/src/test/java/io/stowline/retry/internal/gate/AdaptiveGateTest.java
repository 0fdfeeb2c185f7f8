package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AdaptiveGateTest {

    private final ManualTimer clock = new ManualTimer();
    private final Gate gate = Gate.adaptive(ParallelismSettings.adaptive(), clock);
    private final List<Permit> held = new ArrayList<>();
    private final List<Integer> order = new ArrayList<>();

    private void request(int count, PermitPriority priority) {
        for (int i = 0; i < count; i++) {
            int number = order.size() + gate.waiting();
            gate.request(priority, permit -> {
                held.add(permit);
                order.add(number);
            });
        }
    }

    private void endAll() {
        List<Permit> inFlight = List.copyOf(held);
        held.clear();
        clock.advance(Duration.ofMillis(10));
        inFlight.forEach(permit -> permit.responded("read"));
    }

    private void endOne() {
        Permit first = held.remove(0);
        clock.advance(Duration.ofMillis(10));
        first.responded("read");
    }

    @Test
    @DisplayName("PERMIT-2: a raised limit lets several in, in their order, and before newcomers")
    void raiseAdmitsSeveral() {
        request(40, PermitPriority.NORMAL);
        assertThat(held).hasSize(8);
        while (gate.limit() == 8) {
            request(1, PermitPriority.NORMAL);
            endOne();
        }

        assertThat(gate.limit()).isEqualTo(16);
        assertThat(held).hasSize(16);
        assertThat(gate.inUse()).isEqualTo(16);
        assertThat(order).isSorted();
    }

    @Test
    @DisplayName("PERMIT-2: throttling cuts the limit, and nobody enters until so many have left")
    void throttlingCuts() {
        request(12, PermitPriority.NORMAL);
        held.remove(0).throttled();

        assertThat(gate.limit()).isEqualTo(6);
        assertThat(gate.inUse()).isEqualTo(7);
        held.remove(0).release();
        assertThat(gate.inUse()).isEqualTo(6);
        held.remove(0).release();
        assertThat(gate.inUse()).isEqualTo(6);
        assertThat(gate.waiting()).isEqualTo(3);
    }

    @Test
    @DisplayName("PERMIT-5: the settle class has its permit right after a cut, and at limit 1")
    void settleHasItsPermitAfterACut() {
        request(8, PermitPriority.NORMAL);
        held.remove(0).throttled();
        assertThat(gate.inUse()).isGreaterThan(gate.limit());

        request(1, PermitPriority.SETTLE);
        assertThat(held).hasSize(8);
        request(1, PermitPriority.SETTLE);
        assertThat(gate.waiting()).isEqualTo(1);

        Gate one = Gate.adaptive(ParallelismSettings.builder().start(1).build(), clock);
        assertThat(one.tryAcquire(PermitPriority.NORMAL)).isNotNull();
        assertThat(one.tryAcquire(PermitPriority.NORMAL)).isNull();
        assertThat(one.tryAcquire(PermitPriority.SETTLE)).isNotNull();
        assertThat(one.tryAcquire(PermitPriority.SETTLE)).isNull();
    }

    @Test
    @DisplayName("PERMIT-4: a permit ends once, the first way wins")
    void aPermitEndsOnce() {
        request(2, PermitPriority.NORMAL);
        Permit permit = held.get(0);

        permit.release();
        permit.throttled();
        permit.responded("read");
        permit.release();

        assertThat(gate.inUse()).isEqualTo(1);
        assertThat(gate.limit()).isEqualTo(8);
    }

    @Test
    @DisplayName("PERMIT-2: a released permit says nothing about the service")
    void releaseTeachesNothing() {
        for (int i = 0; i < 1_000; i++) {
            request(9, PermitPriority.NORMAL);
            clock.advance(Duration.ofMillis(10));
            while (!held.isEmpty()) {
                held.remove(0).release();
            }
        }

        assertThat(gate.limit()).isEqualTo(8);
        assertThat(gate.inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-3: after a rest the gate starts low again")
    void restsLow() {
        for (int round = 0; round < 500; round++) {
            request(64, PermitPriority.NORMAL);
            while (!held.isEmpty()) {
                endAll();
            }
        }
        assertThat(gate.limit()).isEqualTo(64);
        clock.advance(Duration.ofSeconds(30));

        request(20, PermitPriority.NORMAL);

        assertThat(gate.limit()).isEqualTo(8);
        assertThat(gate.inUse()).isEqualTo(8);
    }

    @Test
    void fixedSettingsDoNotAdapt() {
        Gate fixed = Gate.adaptive(ParallelismSettings.fixed(3), clock);

        fixed.tryAcquire(PermitPriority.NORMAL).throttled();

        assertThat(fixed.limit()).isEqualTo(3);
        assertThat(fixed.inUse()).isZero();
    }
}
