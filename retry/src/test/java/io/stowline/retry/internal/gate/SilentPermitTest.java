package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Permits whose attempts have no response for long. */
class SilentPermitTest {

    private final PartitionedGate<String> gates = PartitionedGate.of(ParallelismSettings.fixed(2), new ManualTimer());
    private final Gate gate = gates.account();
    private final List<Permit> granted = new ArrayList<>();

    private Permit acquire() {
        return Objects.requireNonNull(gate.tryAcquire(PermitPriority.NORMAL));
    }

    @Test
    @DisplayName("PERMIT-1: a silent permit makes room for the next one, and is given back once")
    void makesRoom() {
        Permit one = acquire();
        Permit two = acquire();
        var unused = gate.request(PermitPriority.NORMAL, granted::add);
        assertThat(granted).isEmpty();
        assertThat(one.fallSilent()).isTrue();
        assertThat(one.fallSilent()).isTrue();

        assertThat(granted).hasSize(1);
        assertThat(gate.inUse()).isEqualTo(2);
        assertThat(gate.silent()).isEqualTo(1);
        one.release();
        one.release();
        assertThat(one.fallSilent()).isTrue();
        assertThat(gate.silent()).isZero();
        two.release();
        assertThat(two.fallSilent()).isFalse();
        granted.get(0).release();
        assertThat(gate.inUse()).isZero();
        assertThat(gate.silent()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: what is in flight stays bounded though nothing responds")
    void isBounded() {
        List<Permit> all = new ArrayList<>();
        for (Permit next = gate.tryAcquire(PermitPriority.NORMAL);
                next != null;
                next = gate.tryAcquire(PermitPriority.NORMAL)) {
            all.add(next);
            next.fallSilent();
        }
        assertThat(Gate.maxSilent(ParallelismSettings.fixed(2))).isEqualTo(8);
        assertThat(Gate.maxSilent(ParallelismSettings.adaptive())).isEqualTo(256);
        assertThat(Gate.maxSilent(ParallelismSettings.fixed(100_000))).isEqualTo(1_000);
        assertThat(all).hasSize(10);
        assertThat(gate.tryAcquire(PermitPriority.SILENT)).isNull();
        all.forEach(Permit::release);
        assertThat(gate.inUse() + gate.silent()).isZero();
    }

    @Test
    @DisplayName(
            "PERMIT-1: what was silent before takes half of the silent permits, and waits for them in its own line")
    void retriesTakeNoPermitOfOthers() {
        List<Permit> retries = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            var unused = gate.request(PermitPriority.SILENT, retries::add);
        }
        assertThat(retries).hasSize(4).allMatch(Permit::silent);
        assertThat(gate.inUse()).isZero();
        assertThat(gate.waiting()).isEqualTo(2);
        acquire().release();
        retries.get(0).responded("put");
        retries.get(1).release();

        assertThat(retries).hasSize(6);
        assertThat(gate.waiting()).isZero();
        retries.forEach(Permit::release);
        assertThat(gate.silent()).isZero();
    }

    @Test
    @DisplayName("PERMIT-5: the reserved permit of the settle class is free again once its holder is silent")
    void settlePermits() {
        Permit settle = Objects.requireNonNull(gate.tryAcquire(PermitPriority.SETTLE));
        acquire();
        assertThat(gate.tryAcquire(PermitPriority.SETTLE)).isNotNull();
        assertThat(gate.tryAcquire(PermitPriority.SETTLE)).isNull();
        assertThat(settle.fallSilent()).isTrue();
        assertThat(gate.tryAcquire(PermitPriority.SETTLE)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = PermitPriority.class,
            names = {"NORMAL", "SETTLE", "BACKGROUND"})
    @DisplayName("PERMIT-2: a partition is silent until it responds, and until then takes no permit of others")
    void partitions(PermitPriority priority) {
        Permit first = Objects.requireNonNull(gates.tryAcquire("p", priority));
        assertThat(first.silent()).isFalse();
        assertThat(gates.fallSilent(first, "p")).isTrue();
        first.release();

        Permit again = Objects.requireNonNull(gates.tryAcquire("p", priority));
        assertThat(again.silent()).isTrue();
        Permit other = Objects.requireNonNull(gates.tryAcquire("q", priority));
        assertThat(other.silent()).isFalse();
        other.release();
        assertThat(gates.silentPartitions()).isEqualTo(1);
        gates.responded("p");
        assertThat(gates.silentPartitions()).isZero();
        again.release();
        assertThat(Objects.requireNonNull(gates.tryAcquire("p", priority)).silent())
                .isFalse();
    }

    @Test
    @DisplayName("PERMIT-5: what settles the work of a silent partition has the way of its class as well")
    void settlesSilently() {
        Permit first = acquire();
        gates.fallSilent(first, "p");
        List<Permit> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Permit next = gates.tryAcquire("p", PermitPriority.SETTLE);
            if (next != null) {
                all.add(next);
            }
        }
        assertThat(all).filteredOn(Permit::silent).hasSize(3);
        assertThat(all).filteredOn(each -> !each.silent()).hasSize(3);
        assertThat(gates.tryAcquire("p", PermitPriority.NORMAL)).isNull();
    }

    @Test
    @DisplayName(
            "PERMIT-4: work in the background takes a permit only if that can fall silent, and makes room for others"
                    + " then")
    void backgroundFallsSilent() {
        List<Permit> all = new ArrayList<>();
        for (Permit next = gate.tryAcquire(PermitPriority.BACKGROUND);
                next != null;
                next = gate.tryAcquire(PermitPriority.BACKGROUND)) {
            all.add(next);
            assertThat(next.fallSilent()).isTrue();
        }
        assertThat(all).hasSize(8);
        assertThat(gate.inUse()).isZero();
        Permit one = acquire();
        Permit two = acquire();
        all.forEach(Permit::release);
        assertThat(gate.tryAcquire(PermitPriority.BACKGROUND)).isNull();
        one.release();
        Permit last = Objects.requireNonNull(gate.tryAcquire(PermitPriority.BACKGROUND));
        assertThat(last.silent()).isFalse();
        last.release();
        two.release();
        assertThat(gate.inUse() + gate.silent()).isZero();
    }

    @Test
    @DisplayName("silent partitions are remembered in bounded memory")
    void remembersSome() {
        SilentPartitions<Integer> silent = new SilentPartitions<>();
        for (int i = 0; i < 20_000; i++) {
            silent.add(i);
        }
        assertThat(silent.size()).isEqualTo(10_000);
        assertThat(silent.has(1)).isFalse();
        assertThat(silent.has(19_999)).isTrue();
        silent.add(null);
        silent.remove(null);
        assertThat(silent.has(null)).isFalse();
    }
}
