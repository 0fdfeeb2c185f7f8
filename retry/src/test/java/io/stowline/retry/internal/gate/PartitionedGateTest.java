package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.ManualTimer;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.Receiver;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PartitionedGateTest {

    private static final int PARTITIONS = Integer.getInteger("stowline.explore", 1) > 1 ? 1_000_000 : 100_000;

    private final ManualTimer timer = new ManualTimer();
    private final PartitionedGate<String> gates = PartitionedGate.of(ParallelismSettings.adaptive(), timer);
    private final Gate account = gates.account();

    private Receiver<Permit> ask(String partition, PermitPriority priority) {
        Receiver<Permit> receiver = new Receiver<>();
        gates.acquire(partition, priority, Deadline.in(Duration.ofSeconds(10), timer), timer)
                .subscribe(receiver);
        return receiver.request();
    }

    private Receiver<Permit> ask(String partition) {
        return ask(partition, PermitPriority.NORMAL);
    }

    private void throttle(String partition) {
        Permit permit = ask(partition).value();
        timer.advance(Duration.ofMillis(1));
        gates.throttled(permit, partition, ThrottleScope.PARTITION);
    }

    /** Half of the account's 8, all taken. */
    private List<Permit> fill(String partition) {
        throttle(partition);
        List<Permit> permits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            permits.add(ask(partition).value());
        }
        return permits;
    }

    private void expectIdle() {
        assertThat(account.inUse()).isZero();
        assertThat(account.waiting()).isZero();
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("PERMIT-2: throttling of a partition cuts the partition and not the account")
    void cutsThePartition() {
        List<Permit> permits = fill("hot");
        Receiver<Permit> waiting = ask("hot");

        assertThat(waiting.empty()).isTrue();
        assertThat(account.limit()).isEqualTo(8);
        assertThat(gates.limitedPartitions()).isEqualTo(1);
        ask("cold").value().release();
        permits.remove(0).release();
        waiting.value().release();
        permits.forEach(Permit::release);
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: who waits for its partition holds no permit of the account")
    void holdsNoAccountPermitWhileWaiting() {
        fill("hot");
        ask("hot");

        assertThat(account.inUse()).isEqualTo(4);
        assertThat(account.waiting()).isZero();
    }

    @Test
    @DisplayName("PERMIT-4: a cancel while waiting for the account gives the partition's permit back")
    void cancelAtTheAccount() {
        throttle("hot");
        List<Permit> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(ask("cold").value());
        }
        List<Receiver<Permit>> hot = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            hot.add(ask("hot"));
        }
        assertThat(account.waiting()).isEqualTo(4);

        hot.get(0).cancel();

        assertThat(account.waiting()).isEqualTo(4);
        others.forEach(Permit::release);
        for (Receiver<Permit> each : hot.subList(1, 5)) {
            each.value().release();
        }
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: one deadline for both waits, and what was got goes back")
    void deadlineAtTheAccount() {
        throttle("hot");
        List<Permit> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(ask("cold").value());
        }
        List<Receiver<Permit>> hot = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            hot.add(ask("hot"));
        }
        timer.advance(Duration.ofSeconds(10));

        assertThat(hot.get(0).error())
                .hasMessage("no permit before the deadline: limit 8, in use 8, waiting 4 (NORMAL)");
        assertThat(hot.get(4).failed()).isTrue();
        others.forEach(Permit::release);
        expectIdle();
        for (int i = 0; i < 4; i++) {
            ask("hot").value();
        }
    }

    @Test
    @DisplayName("PERMIT-4: a wait for a partition that meets its deadline says so")
    void deadlineAtThePartition() {
        fill("hot");
        Receiver<Permit> waiting = ask("hot");

        timer.advance(Duration.ofSeconds(10));

        assertThat(waiting.error())
                .isInstanceOf(GateTimeoutException.class)
                .hasMessage("no permit of the throttled partition before the deadline: "
                        + "limit 4, in use 4, waiting 1 (NORMAL)");
    }

    @Test
    @DisplayName(
            "PERMIT-4: an operator that takes one value and cancels keeps both permits; a later cancel gives both back")
    void cancelAfterTheGrant() {
        throttle("hot");
        Permit kept = gates.acquire("hot", PermitPriority.NORMAL, Deadline.in(Duration.ofSeconds(10), timer), timer)
                .flux()
                .next()
                .block();
        Receiver<Permit> dropped = ask("hot");
        List<Receiver<Permit>> rest = List.of(ask("hot"), ask("hot"), ask("hot"));
        assertThat(rest.get(2).empty()).isTrue();

        dropped.cancel();

        rest.forEach(each -> each.value().release());
        assertThat(account.inUse()).isEqualTo(1);
        kept.release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-5: settling does not wait for a throttled partition")
    void settleDoesNotWait() {
        fill("hot");
        assertThat(ask("hot").empty()).isTrue();

        ask("hot", PermitPriority.SETTLE).value().release();
    }

    @Test
    @DisplayName("PERMIT-2: the account is cut when the service says so")
    void accountThrottling() {
        Permit permit = ask("any").value();
        ask("any").value();

        gates.throttled(permit, "any", ThrottleScope.ACCOUNT);

        assertThat(account.limit()).isLessThan(8);
        assertThat(gates.limitedPartitions()).isZero();
    }

    @Test
    @DisplayName(
            "PERMIT-2: the account is cut when three partitions throttle in one window, not two, and not one thrice")
    void threePartitions() {
        throttle("a");
        throttle("a");
        throttle("b");
        assertThat(account.limit()).isEqualTo(8);
        timer.advance(Duration.ofSeconds(1));
        throttle("a");
        throttle("c");
        assertThat(account.limit()).isEqualTo(8);

        throttle("d");

        assertThat(account.limit()).isLessThan(8);
    }

    @Test
    @DisplayName("PERMIT-2: a permit of the account reports its partition's throttling, as the lanes do")
    void lanesReport() {
        account.request(PermitPriority.NORMAL, permit -> gates.throttled(permit, "lane", ThrottleScope.PARTITION));

        assertThat(gates.limitedPartitions()).isEqualTo(1);
        assertThat(account.limit()).isEqualTo(8);
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-2: requests without a partition are one partition of their own")
    void noPartition() {
        throttle(null);

        assertThat(gates.limitedPartitions()).isEqualTo(1);
        assertThat(account.limit()).isEqualTo(8);
    }

    @Test
    @DisplayName("PERMIT-4: a permit that was given back reports nothing any more")
    void reportsOnce() {
        Permit permit = ask("hot").value();
        permit.release();

        gates.throttled(permit, "hot", ThrottleScope.PARTITION);
        gates.throttled(permit, "hot", ThrottleScope.ACCOUNT);

        assertThat(gates.limitedPartitions()).isZero();
        assertThat(account.limit()).isEqualTo(8);
        gates.throttled(ask("hot").value(), "hot", ThrottleScope.NONE);
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-2: the limit of a partition dies when it was quiet for 30 windows")
    void forgetsQuietPartitions() {
        throttle("hot");
        timer.advance(Duration.ofSeconds(29));
        ask("cold").value().release();
        assertThat(gates.limitedPartitions()).isEqualTo(1);

        timer.advance(Duration.ofSeconds(2));
        ask("cold").value().release();

        assertThat(gates.limitedPartitions()).isZero();
    }

    @Test
    @DisplayName("PERMIT-2: the limit of a partition dies when it has grown back to the account's")
    void forgetsRecoveredPartitions() {
        throttle("hot");
        for (int i = 0; gates.limitedPartitions() == 1 && i < 10_000; i++) {
            List<Permit> permits =
                    List.of(ask("hot").value(), ask("hot").value(), ask("hot").value());
            Permit last = ask("hot").value();
            timer.advance(Duration.ofMillis(10));
            permits.forEach(permit -> permit.responded("read"));
            last.responded("read");
        }

        assertThat(gates.limitedPartitions()).isZero();
    }

    @Test
    @DisplayName("PERMIT-2: throttled partitions without number do not grow the heap, and there is no timer")
    void partitionsWithoutNumber() {
        int max = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            timer.advance(Duration.ofMillis(10));
            account.request(PermitPriority.NORMAL, reporting("p" + i));
            max = Math.max(max, gates.limitedPartitions());
        }

        assertThat(max).isLessThan(4_000);
        assertThat(timer.started()).isZero();
    }

    private Consumer<Permit> reporting(String partition) {
        return permit -> gates.throttled(permit, partition, ThrottleScope.PARTITION);
    }

    @Test
    void fixedSettingsLimitNoPartition() {
        PartitionedGate<String> fixed = PartitionedGate.of(ParallelismSettings.fixed(2), timer);

        fixed.account()
                .request(PermitPriority.NORMAL, permit -> fixed.throttled(permit, "hot", ThrottleScope.PARTITION));

        assertThat(fixed.limitedPartitions()).isZero();
        assertThat(fixed.account().limit()).isEqualTo(2);
    }

    @Test
    void refusesAPermitOfAnotherGate() {
        Permit other = Gate.fixed(1).tryAcquire(PermitPriority.NORMAL);

        assertThatThrownBy(() -> gates.throttled(other, "hot", ThrottleScope.PARTITION))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("permit must be one of this gate but was one of another gate");
    }

    @Test
    @DisplayName("PERMIT-4: a waiter that cancels, or meets its deadline, leaves the line of its partition")
    void leavesThePartitionsLine() {
        Gate partition = Gate.fixed(1);
        Permit permit = partition.tryAcquire(PermitPriority.NORMAL);
        Receiver<Permit> cancelled = new Receiver<>();
        PermitMono.of(partition, account, PermitPriority.NORMAL, Deadline.in(Duration.ofSeconds(10), timer), timer)
                .subscribe(cancelled);
        Receiver<Permit> late = new Receiver<>();
        PermitMono.of(partition, account, PermitPriority.NORMAL, Deadline.in(Duration.ofSeconds(5), timer), timer)
                .subscribe(late);
        cancelled.request();
        late.request();
        assertThat(partition.waiting()).isEqualTo(2);

        cancelled.cancel();
        assertThat(partition.waiting()).isEqualTo(1);
        timer.advance(Duration.ofSeconds(5));
        assertThat(late.failed()).isTrue();
        assertThat(partition.waiting()).isZero();
        permit.release();
        assertThat(partition.inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-2: a permit of the account alone cuts a partition that is limited already")
    void lanesCutAgain() {
        throttle("hot");
        List<Permit> lanes = new ArrayList<>();
        timer.advance(Duration.ofSeconds(2));
        account.request(PermitPriority.NORMAL, lanes::add);
        timer.advance(Duration.ofMillis(1));
        gates.throttled(lanes.get(0), "hot", ThrottleScope.PARTITION);

        int granted = 0;
        for (int i = 0; i < 4; i++) {
            granted += ask("hot").empty() ? 0 : 1;
        }
        assertThat(granted).isBetween(1, 3);
    }

    @Test
    @DisplayName("PERMIT-4: tryAcquire takes what is free, and leaves the rest to acquire")
    void triesWithoutWaiting() {
        Permit cold = gates.tryAcquire("cold", PermitPriority.NORMAL);
        assertThat(cold).isNotNull();
        throttle("hot");
        assertThat(gates.tryAcquire("hot", PermitPriority.NORMAL))
                .as("a limited partition")
                .isNull();
        Permit settler = gates.tryAcquire("hot", PermitPriority.SETTLE);
        assertThat(settler).as("settling does not wait for a partition").isNotNull();
        settler.release();

        List<Permit> rest = new ArrayList<>();
        for (Permit permit = cold; permit != null; permit = gates.tryAcquire("cold", PermitPriority.NORMAL)) {
            rest.add(permit);
        }
        assertThat(rest).as("refused implies full").hasSize(account.limit());
        rest.forEach(Permit::release);
        Permit again = gates.tryAcquire("cold", PermitPriority.NORMAL);
        assertThat(again).as("idle implies admits").isNotNull();
        again.release();
        expectIdle();
    }
}
