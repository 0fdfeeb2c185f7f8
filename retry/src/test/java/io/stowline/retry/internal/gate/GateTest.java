package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Gate.PermitRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GateTest {

    private final Gate gate = Gate.fixed(2);
    private final List<String> order = new ArrayList<>();
    private final List<Permit> permits = new ArrayList<>();

    private PermitRegistration request(String name, PermitPriority priority) {
        return gate.request(priority, permit -> {
            order.add(name);
            permits.add(permit);
        });
    }

    private PermitRegistration request(String name) {
        return request(name, PermitPriority.NORMAL);
    }

    private void releaseFirst() {
        permits.remove(0).release();
    }

    @Test
    void grantsAtOnceUpToTheLimit() {
        request("a");
        request("b");
        request("c");

        assertThat(order).containsExactly("a", "b");
        assertThat(gate.limit()).isEqualTo(2);
        assertThat(gate.inUse()).isEqualTo(2);
        assertThat(gate.waiting()).isEqualTo(1);
    }

    @Test
    void servesInTheOrderOfComing() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            request(name);
        }
        releaseFirst();
        releaseFirst();
        releaseFirst();

        assertThat(order).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    @DisplayName("PERMIT-5: the settle class is first in line")
    void settleIsFirstInLine() {
        request("a");
        request("b");
        request("s1", PermitPriority.SETTLE);
        request("c");
        request("s2", PermitPriority.SETTLE);
        request("s3", PermitPriority.SETTLE);
        assertThat(order).containsExactly("a", "b", "s1");

        for (int i = 0; i < 4; i++) {
            releaseFirst();
        }

        assertThat(order).containsExactly("a", "b", "s1", "s2", "s3", "c");
    }

    @Test
    @DisplayName("PERMIT-5: the settle class has a permit that no normal request can use")
    void settleHasItsOwnPermit() {
        request("a");
        request("b");
        request("c");

        request("s1", PermitPriority.SETTLE);
        assertThat(order).containsExactly("a", "b", "s1");
        assertThat(gate.inUse()).isEqualTo(3);

        request("s2", PermitPriority.SETTLE);
        assertThat(gate.inUse()).isEqualTo(3);
        assertThat(gate.waiting()).isEqualTo(2);
    }

    @Test
    @DisplayName("PERMIT-5: the permit of the settle class does not become a normal one when it is released")
    void reservedPermitStaysReserved() {
        request("a");
        request("b");
        request("c");
        request("s1", PermitPriority.SETTLE);

        permits.remove(2).release();

        assertThat(order).containsExactly("a", "b", "s1");
        assertThat(gate.inUse()).isEqualTo(2);
        releaseFirst();
        assertThat(order).containsExactly("a", "b", "s1", "c");
    }

    @Test
    void aPermitIsReleasedOnlyOnce() {
        request("a");
        request("b");
        request("c");
        request("d");

        Permit first = permits.get(0);
        first.release();
        first.release();
        first.release();

        assertThat(order).containsExactly("a", "b", "c");
        assertThat(gate.inUse()).isEqualTo(2);
    }

    @Test
    void cancelLeavesTheLine() {
        request("a");
        request("b");
        PermitRegistration c = request("c");
        request("d");

        assertThat(c.cancel()).isTrue();
        assertThat(c.cancel()).isFalse();
        assertThat(gate.waiting()).isEqualTo(1);
        releaseFirst();
        assertThat(order).containsExactly("a", "b", "d");
    }

    @Test
    void cancelOfWhatWasGrantedTellsSo() {
        PermitRegistration a = request("a");
        request("b");
        PermitRegistration c = request("c");
        releaseFirst();

        assertThat(a.cancel()).isFalse();
        assertThat(c.cancel()).isFalse();
        assertThat(gate.inUse()).isEqualTo(2);
    }

    @Test
    void aLongLineThatReleasesAtOnceDoesNotGrowTheStack() {
        AtomicInteger served = new AtomicInteger();
        request("a");
        request("b");
        for (int i = 0; i < 100_000; i++) {
            gate.request(PermitPriority.NORMAL, permit -> {
                served.incrementAndGet();
                permit.release();
            });
        }

        releaseFirst();

        assertThat(served).hasValue(100_000);
        assertThat(gate.inUse()).isEqualTo(1);
    }

    @Test
    void aReceiverThatThrowsLosesItsPermitAndStopsNobody() {
        request("a");
        request("b");
        gate.request(PermitPriority.NORMAL, permit -> {
            throw new IllegalStateException("broken");
        });
        request("c");

        releaseFirst();

        assertThat(order).containsExactly("a", "b", "c");
        assertThat(gate.inUse()).isEqualTo(2);
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void aReceiverThatThrowsAtOnceLosesItsPermitToo() {
        gate.request(PermitPriority.NORMAL, permit -> {
            throw new IllegalStateException("broken");
        });

        assertThat(gate.inUse()).isZero();
    }

    @Test
    void receiversRunOutsideTheLock() {
        List<Boolean> reachable = new ArrayList<>();
        request("a");
        request("b");
        gate.request(PermitPriority.NORMAL, permit -> {
            Thread other = new Thread(() -> reachable.add(gate.waiting() == 0));
            other.start();
            joined(other);
        });

        releaseFirst();

        assertThat(reachable).containsExactly(true);
    }

    private static void joined(Thread thread) {
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void refusesALimitBelowOne() {
        assertThatThrownBy(() -> Gate.fixed(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("permits must be between 1 and 100000 but was 0");
    }

    @Test
    @DisplayName("PERMIT-5: beyond the limit one settler goes in at a time, and the next one waits for it")
    void oneSettlerBeyondTheLimit() {
        request("a");
        request("b");
        request("first", PermitPriority.SETTLE);
        request("second", PermitPriority.SETTLE);
        assertThat(order).containsExactly("a", "b", "first");
        assertThat(gate.waiting()).isEqualTo(1);

        permits.remove(2).release();
        assertThat(order).containsExactly("a", "b", "first", "second");
    }

    @Test
    @DisplayName("PERMIT-5: the reserved permit comes back: after a cut of the limit the next settler goes in at once")
    void theReservedPermitComesBack() {
        ManualTimer clock = new ManualTimer();
        Gate adaptive =
                Gate.adaptive(ParallelismSettings.builder().start(8).max(16).build(), clock);
        List<Permit> held = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            adaptive.request(PermitPriority.NORMAL, held::add);
        }
        for (int i = 0; i < 3; i++) {
            adaptive.request(PermitPriority.SETTLE, Permit::release);
        }
        clock.advance(java.time.Duration.ofMillis(1));
        held.remove(0).throttled();
        assertThat(adaptive.inUse()).isGreaterThan(adaptive.limit());

        List<Permit> settlers = new ArrayList<>();
        adaptive.request(PermitPriority.SETTLE, settlers::add);
        adaptive.request(PermitPriority.SETTLE, settlers::add);
        assertThat(settlers).as("one inside, one in line").hasSize(1);
        settlers.get(0).release();
        assertThat(settlers).hasSize(2);
    }

    @Test
    @DisplayName("PERMIT-4: work in the background goes last, takes half of the permits, and does not wait for ever")
    void backgroundIsLast() {
        Gate wide = Gate.fixed(4);
        List<String> granted = new ArrayList<>();
        List<Permit> held = new ArrayList<>();
        for (String name : List.of("b1", "b2", "b3", "a1", "a2", "a3", "a4")) {
            PermitPriority priority = name.startsWith("b") ? PermitPriority.BACKGROUND : PermitPriority.NORMAL;
            var unused = wide.request(priority, permit -> {
                granted.add(name);
                held.add(permit);
            });
        }
        assertThat(granted).containsExactly("b1", "b2", "a1", "a2");

        held.remove(0).release();
        assertThat(granted).last().as("one of the background is there").isEqualTo("a3");
        held.remove(0).release();
        assertThat(granted).last().as("none of the background is there").isEqualTo("b3");
        held.remove(0).release();
        assertThat(granted).last().isEqualTo("a4");
        held.forEach(Permit::release);
        assertThat(wide.inUse() + wide.waiting()).isZero();
    }

    @Test
    @DisplayName("PERMIT-4: with one permit, work in the background goes only when nothing else waits")
    void backgroundOfOnePermit() {
        Gate narrow = Gate.fixed(1);
        List<String> granted = new ArrayList<>();
        List<Permit> held = new ArrayList<>();
        for (String name : List.of("a1", "b1", "a2", "a3")) {
            PermitPriority priority = name.startsWith("b") ? PermitPriority.BACKGROUND : PermitPriority.NORMAL;
            var unused = narrow.request(priority, permit -> {
                granted.add(name);
                held.add(permit);
            });
        }
        for (int i = 0; i < 4; i++) {
            held.remove(0).release();
        }
        assertThat(granted).containsExactly("a1", "a2", "a3", "b1");
        assertThat(narrow.inUse()).isZero();
    }
}
