package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.engine.RetryEngine;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.ScriptedCall;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.GateTimeoutException;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** P4: waiting for a permit has a deadline, can be cancelled, and every path returns the permit. */
class GateAcquireTest {

    private final ManualTimer timer = new ManualTimer();
    private final Gate gate = Gate.fixed(1);

    private Receiver<Permit> subscribe(PermitPriority priority, Duration time) {
        Receiver<Permit> receiver = new Receiver<>();
        gate.acquire(priority, Deadline.in(time, timer), timer).subscribe(receiver);
        return receiver;
    }

    private Receiver<Permit> acquire() {
        return subscribe(PermitPriority.NORMAL, Duration.ofSeconds(10)).request();
    }

    private void expectIdle() {
        assertThat(gate.inUse()).isZero();
        assertThat(gate.waiting()).isZero();
        assertThat(timer.running()).isZero();
    }

    @Test
    void aFreePermitIsGivenAtOnceWithoutATimer() {
        Permit permit = acquire().value();

        assertThat(gate.inUse()).isEqualTo(1);
        assertThat(timer.started()).isZero();
        permit.release();
        expectIdle();
    }

    @Test
    void requestsOnlyWhenDemandedAndOnlyOnce() {
        Receiver<Permit> receiver = subscribe(PermitPriority.NORMAL, Duration.ofSeconds(10));
        assertThat(gate.inUse()).isZero();

        receiver.request();
        receiver.request();

        assertThat(gate.inUse()).isEqualTo(1);
        receiver.value().release();
        expectIdle();
    }

    @Test
    void waitsForARelease() {
        Permit first = acquire().value();
        Receiver<Permit> second = acquire();
        assertThat(second.empty()).isTrue();
        assertThat(timer.running()).isEqualTo(1);

        first.release();

        assertThat(timer.running()).isZero();
        second.value().release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: waiting ends at the deadline")
    void waitingEndsAtTheDeadline() {
        Permit first = acquire().value();
        Receiver<Permit> second = acquire();

        timer.advance(Duration.ofMillis(9_999));
        assertThat(second.empty()).isTrue();
        timer.advance(Duration.ofMillis(1));

        assertThat(second.error())
                .isInstanceOf(GateTimeoutException.class)
                .hasMessage("no permit before the deadline: limit 1, in use 1, waiting 1 (NORMAL)");
        assertThat(gate.waiting()).isZero();
        first.release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: a request whose deadline is over gets no permit, even a free one")
    void expiredRequestGetsNothing() {
        Receiver<Permit> receiver =
                subscribe(PermitPriority.NORMAL, Duration.ZERO).request();

        assertThat(receiver.error())
                .isInstanceOf(GateTimeoutException.class)
                .hasMessage("no permit was requested: the deadline had passed");
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: cancelling leaves the line")
    void cancelLeavesTheLine() {
        Permit first = acquire().value();
        Receiver<Permit> second = acquire();

        second.cancel();

        assertThat(gate.waiting()).isZero();
        assertThat(timer.running()).isZero();
        first.release();
        assertThat(second.empty()).isTrue();
        expectIdle();
    }

    @Test
    void cancelBeforeTheRequestRequestsNothing() {
        Receiver<Permit> receiver = subscribe(PermitPriority.NORMAL, Duration.ofSeconds(10));

        receiver.cancel();
        receiver.request();

        assertThat(receiver.empty()).isTrue();
        expectIdle();
    }

    @Test
    @DisplayName(
            "PERMIT-4: race of grant and cancel, the grant first: the permit goes back, as it may have been dropped")
    void grantBeforeTheCancel() {
        Permit first = acquire().value();
        Receiver<Permit> second = acquire();

        first.release();
        assertThat(gate.inUse()).isEqualTo(1);
        second.cancel();

        expectIdle();
        second.value().release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: an operator that takes one value and cancels keeps the permit")
    void cancelInsideTheReception() {
        Deadline deadline = Deadline.in(Duration.ofSeconds(10), timer);

        Permit permit = gate.acquire(PermitPriority.NORMAL, deadline, timer)
                .flux()
                .next()
                .block();
        assertThat(gate.inUse()).isEqualTo(1);
        permit.release();

        Permit last = gate.acquire(PermitPriority.NORMAL, deadline, timer)
                .flux()
                .last()
                .flux()
                .take(1)
                .blockFirst();
        assertThat(gate.inUse()).isEqualTo(1);
        last.release();
        expectIdle();
    }

    @Test
    @DisplayName(
            "PERMIT-4: race of grant and cancel, cancelled between the grant and its delivery: the permit goes back")
    void cancelBetweenGrantAndDelivery() {
        Permit first = acquire().value();
        List<Receiver<Permit>> second = new ArrayList<>();
        gate.request(PermitPriority.NORMAL, permit -> {
            // Grants to the second one, whose delivery must wait until this one has returned.
            permit.release();
            assertThat(gate.inUse()).isEqualTo(1);
            assertThat(gate.waiting()).isZero();
            second.get(0).cancel();
        });
        second.add(acquire());

        first.release();

        assertThat(second.get(0).empty()).isTrue();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: race of grant and deadline, the deadline between the grant and its delivery")
    void deadlineBetweenGrantAndDelivery() {
        Permit first = acquire().value();
        List<Receiver<Permit>> second = new ArrayList<>();
        gate.request(PermitPriority.NORMAL, permit -> {
            permit.release();
            timer.advance(Duration.ofSeconds(10));
        });
        second.add(acquire());

        first.release();

        assertThat(second.get(0).error()).isInstanceOf(GateTimeoutException.class);
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: a timer that fires before it has returned its handle leaves nobody in the line")
    void timerThatFiresAtOnce() {
        Permit first = acquire().value();
        timer.fireAtOnce();

        assertThat(acquire().error()).isInstanceOf(GateTimeoutException.class);

        assertThat(gate.waiting()).isZero();
        first.release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: a cancel while the timer is being started leaves neither a place nor a timer")
    void cancelWhileTheTimerStarts() {
        Permit first = acquire().value();
        Receiver<Permit> second = subscribe(PermitPriority.NORMAL, Duration.ofSeconds(10));
        timer.whileStarting(second::cancel);

        second.request();

        assertThat(second.empty()).isTrue();
        assertThat(gate.waiting()).isZero();
        first.release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: a grant while the timer is being started leaves no timer")
    void grantWhileTheTimerStarts() {
        Permit first = acquire().value();
        timer.whileStarting(first::release);

        acquire().value().release();

        expectIdle();
    }

    @Test
    void aTimerThatRefusesFailsTheWait() {
        Permit first = acquire().value();
        timer.refuse();

        assertThat(acquire().error()).hasMessage("the timer is shut down");

        assertThat(gate.waiting()).isZero();
        first.release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-5: settling goes first here too")
    void settleGoesFirst() {
        Permit first = acquire().value();
        Receiver<Permit> normal = acquire();
        Permit reserved = subscribe(PermitPriority.SETTLE, Duration.ofSeconds(10))
                .request()
                .value();
        Receiver<Permit> settle =
                subscribe(PermitPriority.SETTLE, Duration.ofSeconds(10)).request();

        first.release();

        assertThat(normal.empty()).isTrue();
        settle.value().release();
        assertThat(normal.empty()).isTrue();
        reserved.release();
        normal.value().release();
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-1: no permit is held while backing off")
    void noPermitIsHeldWhileBackingOff() {
        RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
        RetrySettings settings = RetrySettings.defaults();
        List<Integer> inUse = new ArrayList<>();
        ScriptedCall<String> retryCall = ScriptedCall.of(
                settings,
                Deadline.in(settings.deadline(), timer),
                (result, error) -> Verdict.retry("503"),
                attempt -> gate.acquire(PermitPriority.NORMAL, attempt.startBy(), timer)
                        .map(permit -> {
                            inUse.add(gate.inUse());
                            permit.release();
                            return "busy";
                        }));
        Receiver<RetryResult<String>> receiver = new Receiver<>();
        engine.execute(retryCall).subscribe(receiver);
        receiver.request();

        for (int seconds : new int[] {2, 6, 14, 30}) {
            expectFreeAndTaken();
            timer.advance(Duration.ofSeconds(seconds));
        }

        assertThat(receiver.value().stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
        assertThat(inUse).containsExactly(1, 1, 1, 1, 1);
        expectIdle();
    }

    private void expectFreeAndTaken() {
        Permit other = acquire().value();
        other.release();
    }

    @Test
    @DisplayName("RETRY-5: after waiting for a permit too, no attempt starts with too little time to finish")
    void waitingForAPermitEndsWhileAnAttemptStillFits() {
        Permit permit = acquire().value();
        RetrySettings settings = RetrySettings.defaults().withoutReserve();
        Attempt attempt = Attempt.first(settings, Deadline.in(Duration.ofSeconds(10), timer));
        Receiver<Permit> waiting = new Receiver<>();
        gate.acquire(PermitPriority.NORMAL, attempt.startBy(), timer).subscribe(waiting);
        waiting.request();

        timer.advance(Duration.ofSeconds(9));

        assertThat(waiting.error()).isInstanceOf(GateTimeoutException.class);
        assertThat(attempt.clientTimeout()).isEqualTo(Duration.ofSeconds(1));
        permit.release();
        expectIdle();
    }
}
