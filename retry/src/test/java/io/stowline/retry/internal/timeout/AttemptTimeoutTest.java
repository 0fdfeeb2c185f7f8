package io.stowline.retry.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.Draws;
import io.stowline.retry.ManualTimer;
import io.stowline.retry.Receiver;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.Probe;
import io.stowline.retry.internal.engine.RetryEngine;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.ScriptedCall;
import io.stowline.retry.internal.engine.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

class AttemptTimeoutTest {

    private final ManualTimer timer = new ManualTimer();
    private final TimeoutQueue timeouts = new TimeoutQueue(timer);
    private final Probe<String> probe = new Probe<>();
    private final List<Object> discarded = new ArrayList<>();
    private final Receiver<String> receiver =
            new Receiver<>(Operators.enableOnDiscard(Context.of("trace", "t-1"), discarded::add));

    private Attempt attempt(Duration left) {
        return Attempt.first(RetrySettings.defaults().withoutReserve(), Deadline.in(left, timer));
    }

    private void subscribe(Mono<String> source, Duration left) {
        AttemptTimeout.of(attempt(left), source, timeouts).subscribe(receiver);
    }

    private void start() {
        subscribe(probe, Duration.ofMinutes(2));
        receiver.request();
    }

    @Test
    @DisplayName("RETRY-5: the attempt's timeout really cancels it")
    void cancelsTheAttempt() {
        start();

        timer.advance(Duration.ofMillis(34_999));
        assertThat(receiver.empty()).isTrue();
        assertThat(probe.cancelled()).isFalse();
        timer.advance(Duration.ofMillis(1));

        assertThat(probe.cancelled()).isTrue();
        AttemptTimeoutException error = (AttemptTimeoutException) receiver.error();
        assertThat(error).hasMessage("attempt 1 gave no response within PT35S");
        assertThat(error.limit()).isEqualTo(Duration.ofSeconds(35));
        assertThat(error.started()).isTrue();
    }

    @Test
    @DisplayName("RETRY-5: the time is what is left when the attempt is sent, not when it was made")
    void timeIsComputedWhenSent() {
        subscribe(probe, Duration.ofSeconds(20));
        timer.advance(Duration.ofSeconds(15));
        receiver.request();

        timer.advance(Duration.ofSeconds(5));

        assertThat(receiver.error()).hasMessage("attempt 1 gave no response within PT5S");
    }

    @Test
    @DisplayName("RETRY-5: with no time left nothing is sent")
    void sendsNothingWithoutTime() {
        subscribe(probe, Duration.ZERO);
        receiver.request();

        assertThat(probe.subscribed()).isFalse();
        AttemptTimeoutException error = (AttemptTimeoutException) receiver.error();
        assertThat(error).hasMessage("attempt 1 was not started: no time was left");
        assertThat(error.started()).isFalse();
        assertThat(timer.started()).isZero();
    }

    @Test
    void aResponseStopsTheTimer() {
        start();
        assertThat(timer.running()).isEqualTo(1);

        probe.emit("answer");

        assertThat(receiver.value()).isEqualTo("answer");
        assertThat(timeouts.isEmpty()).isTrue();
        assertThat(timer.started()).isEqualTo(1);
        assertThat(probe.cancelled()).isFalse();
    }

    @Test
    void anErrorStopsTheTimer() {
        start();

        probe.fail(new Exception("lost"));

        assertThat(receiver.error()).hasMessage("lost");
        assertThat(timeouts.isEmpty()).isTrue();
    }

    @Test
    void anEmptyResponseStopsTheTimer() {
        start();

        probe.complete();

        assertThat(receiver.completed()).isTrue();
        assertThat(timeouts.isEmpty()).isTrue();
    }

    @Test
    @DisplayName("RETRY-8: a cancel stops the attempt and its timer")
    void cancelStopsBoth() {
        start();

        receiver.cancel();

        assertThat(probe.cancelled()).isTrue();
        assertThat(timeouts.isEmpty()).isTrue();
        probe.fail(new Exception("aborted"));
        assertThat(receiver.empty()).isTrue();
    }

    @Test
    void cancelBeforeTheRequestSendsNothing() {
        subscribe(probe, Duration.ofMinutes(2));

        receiver.cancel();
        receiver.request();

        assertThat(probe.subscribed()).isFalse();
        assertThat(timer.started()).isZero();
    }

    @Test
    @DisplayName("RETRY-5: race of answer and timeout, the timeout first: the late response is discarded")
    void timeoutBeforeTheResponse() {
        start();
        timer.advance(Duration.ofSeconds(35));

        probe.emit("late");
        probe.fail(new Exception("late"));

        assertThat(receiver.error()).isInstanceOf(AttemptTimeoutException.class);
        assertThat(discarded).containsExactly("late");
    }

    @Test
    @DisplayName("RETRY-5: race of answer and timeout, the response first: its completion still comes through")
    void answerBeforeTheTimeout() {
        start();
        probe.next("answer");

        timer.advance(Duration.ofMinutes(1));
        assertThat(probe.cancelled()).isFalse();
        probe.complete();

        assertThat(receiver.value()).isEqualTo("answer");
        assertThat(discarded).isEmpty();
    }

    @Test
    void aTimerThatFiresBeforeItHasReturnedItsHandleSendsNothing() {
        timer.fireAtOnce();
        start();

        assertThat(receiver.error()).isInstanceOf(AttemptTimeoutException.class);
        assertThat(probe.subscribed()).isFalse();
    }

    @Test
    @DisplayName("RETRY-8: a cancel while the timer is being started sends nothing and leaves no timer")
    void cancelWhileTheTimerStarts() {
        timer.whileStarting(receiver::cancel);
        start();

        assertThat(probe.subscribed()).isFalse();
        assertThat(timeouts.isEmpty()).isTrue();
        assertThat(receiver.empty()).isTrue();
    }

    @Test
    void aTimerThatRefusesSendsNothing() {
        timer.refuse();
        start();

        assertThat(receiver.error()).hasMessage("the timer is shut down");
        assertThat(probe.subscribed()).isFalse();
    }

    @Test
    void aSourceThatThrowsFailsTheAttempt() {
        subscribe(
                new Mono<>() {
                    @Override
                    public void subscribe(CoreSubscriber<? super String> actual) {
                        throw new IllegalStateException("in subscribe");
                    }
                },
                Duration.ofMinutes(2));
        receiver.request();

        assertThat(receiver.error()).hasMessage("in subscribe");
        assertThat(timeouts.isEmpty()).isTrue();
    }

    @Test
    void theSourceSeesTheSubscribersContext() {
        start();

        assertThat(probe.context().<String>get("trace")).isEqualTo("t-1");
    }

    @Test
    @DisplayName("RETRY-5: attempts that time out are retried until the deadline, each cancelled on time")
    void engineRetriesTimeouts() {
        List<Probe<String>> probes = new ArrayList<>();
        RetrySettings settings = RetrySettings.builder()
                .deadline(Duration.ofSeconds(90))
                .reserve(Duration.ZERO)
                .build();
        ScriptedCall<String> retryCall = ScriptedCall.of(
                settings,
                Deadline.in(settings.deadline(), timer),
                (result, error) -> Verdict.retry("timeout").asAmbiguous(),
                attempt -> {
                    probes.add(new Probe<>());
                    return AttemptTimeout.of(attempt, probes.get(probes.size() - 1), timeouts);
                });
        Receiver<RetryResult<String>> ended = new Receiver<>();
        new RetryEngine(timer, new Draws(0.5)).execute(retryCall).subscribe(ended);
        ended.request();

        timer.advance(Duration.ofSeconds(90));

        // 35 s, 2 s pause, 35 s, 6 s pause, and the 12 s that are left.
        assertThat(probes).hasSize(3).allMatch(Probe::cancelled);
        assertThat(ended.value().stop()).isEqualTo(StopReason.DEADLINE);
        assertThat(ended.value().error()).hasMessage("attempt 3 gave no response within PT12S");
        assertThat(ended.value().log().elapsed()).isEqualTo(Duration.ofSeconds(90));
        assertThat(timeouts.isEmpty()).isTrue();
    }

    /** Subscribes to an attempt that may stand still for 35 s. */
    private void startStanding(long[] moved, Duration left) {
        AttemptTimeout.ofStandstill(
                        attempt(left),
                        probe,
                        timeouts,
                        Duration.ofSeconds(35),
                        () -> timer.now(TimeUnit.NANOSECONDS) - moved[0])
                .subscribe(receiver);
        receiver.request();
    }

    @Test
    @DisplayName(
            "TRANSFER-7: an attempt that moves has no time-out, and one that stands still has its time from the last"
                    + " movement")
    void countsStandstill() {
        long[] moved = {0};
        startStanding(moved, Duration.ofHours(2));
        for (int i = 0; i < 100; i++) {
            timer.advance(Duration.ofSeconds(34));
            moved[0] = timer.now(TimeUnit.NANOSECONDS);
        }
        assertThat(timer.running()).isEqualTo(1);
        timer.advance(Duration.ofMillis(34_999));
        assertThat(probe.cancelled()).isFalse();
        timer.advance(Duration.ofMillis(1));

        assertThat(probe.cancelled()).isTrue();
        assertThat(receiver.error())
                .isInstanceOf(TimeoutException.class)
                .hasMessage("attempt 1 has stood still for PT35S");
        assertThat(timeouts.isEmpty()).isTrue();
    }

    @Test
    @DisplayName("TRANSFER-7: what stood still before the attempt is not the attempt's")
    void countsItsOwnStandstill() {
        long[] moved = {0};
        timer.advance(Duration.ofSeconds(30));
        startStanding(moved, Duration.ofHours(2));
        timer.advance(Duration.ofMillis(34_999));
        assertThat(probe.cancelled()).isFalse();
        timer.advance(Duration.ofMillis(1));
        assertThat(receiver.error()).hasMessage("attempt 1 has stood still for PT1M5S");
    }

    @Test
    void readsTheClockOnceForAnAttemptInTime() {
        Mono<String> limited = AttemptTimeout.of(attempt(Duration.ofMinutes(2)), probe, timeouts);
        int before = timer.readings();

        limited.subscribe(receiver);
        receiver.request();
        probe.emit("answer");

        assertThat(receiver.value()).isEqualTo("answer");
        assertThat(timer.readings() - before).isEqualTo(1);
    }

    @Test
    void standsStillForNoLongerThanItsDeadlineLeaves() {
        startStanding(new long[] {0}, Duration.ofSeconds(20));
        timer.advance(Duration.ofSeconds(20));
        assertThat(receiver.error()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aResponseStopsTheTimerOfAStandstill() {
        long[] moved = {0};
        startStanding(moved, Duration.ofHours(2));
        moved[0] = Duration.ofSeconds(30).toNanos();
        timer.advance(Duration.ofSeconds(40));
        assertThat(timer.running()).isEqualTo(1);
        probe.emit("answer");
        assertThat(receiver.value()).isEqualTo("answer");
        assertThat(timeouts.isEmpty()).isTrue();
    }
}
