package io.stowline.retry.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.Draws;
import io.stowline.retry.ManualTimer;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.Receiver;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.rate.TokenRequest;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Retries that wait for the quota's tokens. */
class QuotaPaceTest {

    private static final Verdict BUSY = Verdict.retry("503 ServerBusy").asThrottling(ThrottleScope.PARTITION);

    private final ManualTimer timer = new ManualTimer();
    private final RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
    private final RetrySettings settings = RetrySettings.defaults().withoutReserve();
    private final RetryQuota quota = RetryQuota.of(
            QuotaSettings.builder().capacity(20).refillPerSecond(1).build(), timer);

    private Receiver<RetryResult<String>> start(AttemptScript script, Duration deadline) {
        Receiver<RetryResult<String>> receiver = new Receiver<>();
        engine.execute(script.call(settings, Deadline.in(deadline, timer))
                        .within(quota, RetryQuota.ExhaustedPolicy.PACE))
                .subscribe(receiver);
        return receiver.request();
    }

    private TokenRequest drain() {
        TokenRequest last = quota.claim(BUSY);
        for (TokenRequest next = last; next.tryTake(); next = quota.claim(BUSY)) {
            last = next;
        }
        return last;
    }

    @Test
    @DisplayName("RETRY-6: a paced retry waits for its tokens")
    void waitsForTokens() {
        drain();
        AttemptScript script = AttemptScript.of(BUSY, Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script, Duration.ofMinutes(2));

        timer.advance(Duration.ofMillis(4_999));
        assertThat(script.sent()).isEqualTo(1);
        assertThat(quota.waiting()).isEqualTo(1);
        timer.advance(Duration.ofMillis(1));

        assertThat(receiver.value().succeeded()).isTrue();
        assertThat(receiver.value().log().attempts().get(1).waitedBefore()).isEqualTo(Duration.ofSeconds(5));
        assertThat(quota.available()).isEqualTo(5);
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: the delay runs while the retry waits for tokens: the longer of both counts")
    void theLongerWaitCounts() {
        drain();
        AttemptScript script = AttemptScript.of(BUSY.withHint(Duration.ofSeconds(9)), Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script, Duration.ofMinutes(2));

        timer.advance(Duration.ofSeconds(5));
        assertThat(quota.waiting()).isZero();
        timer.advance(Duration.ofMillis(3_999));
        assertThat(script.sent()).isEqualTo(1);
        timer.advance(Duration.ofMillis(1));

        assertThat(receiver.value().succeeded()).isTrue();
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: paced retries start one after the other, in their order, and none starves")
    void pacedRetriesAreFair() {
        drain();
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String name = "op " + i;
            AttemptScript script = AttemptScript.of(BUSY, Verdict.never("done"));
            ScriptedCall<String> retryCall =
                    ScriptedCall.of(settings, Deadline.in(Duration.ofMinutes(2), timer), script, attempt -> {
                        order.add(attempt.number() == 2 ? name : "");
                        return script.apply(attempt);
                    });
            engine.execute(retryCall.within(quota, RetryQuota.ExhaustedPolicy.PACE))
                    .subscribe();
        }
        order.clear();

        for (int i = 0; i < 20; i++) {
            timer.advance(Duration.ofSeconds(5));
            assertThat(order).hasSize(i + 1).last().isEqualTo("op " + i);
        }
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: tokens given back by a success let the next one go on before its time")
    void successShortensTheWait() {
        TokenRequest other = drain();
        AttemptScript script = AttemptScript.of(BUSY, Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script, Duration.ofMinutes(2));
        timer.advance(Duration.ofSeconds(3));

        quota.succeeded(other);
        timer.advance(Duration.ZERO);

        assertThat(receiver.value().succeeded()).isTrue();
        assertThat(receiver.value().log().elapsed()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("RETRY-6: a paced retry waits no longer than its deadline allows, and says who refused")
    void waitsWithinTheDeadline() {
        drain();
        AttemptScript script = AttemptScript.of(BUSY.asAmbiguous());
        Receiver<RetryResult<String>> receiver = start(script, Duration.ofMillis(5_999));

        timer.advance(Duration.ofMillis(4_998));
        assertThat(receiver.empty()).isTrue();
        timer.advance(Duration.ofMillis(1));

        RetryResult<String> ended = receiver.value();
        assertThat(ended.stop()).isEqualTo(StopReason.DEADLINE);
        assertThat(ended.error())
                .isInstanceOf(AttemptTimeoutException.class)
                .hasMessage("no retry was started: the client's own retry quota was empty until the deadline,"
                        + " RetryQuota[4 of 20, waiting 0]");
        assertThat(ended.verdict().ambiguous()).isTrue();
        assertThat(quota.waiting()).isZero();
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: a cancel while it waits leaves the line, and the next one moves up")
    void cancelLeavesTheLine() {
        drain();
        Receiver<RetryResult<String>> first = start(AttemptScript.of(BUSY), Duration.ofMinutes(2));
        AttemptScript script = AttemptScript.of(BUSY, Verdict.success());
        Receiver<RetryResult<String>> second = start(script, Duration.ofMinutes(2));
        timer.advance(Duration.ofSeconds(1));

        first.cancel();
        timer.advance(Duration.ofSeconds(4));

        assertThat(second.value().succeeded()).isTrue();
        assertThat(first.empty()).isTrue();
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: a cancel between the tokens and the end of the delay gives them back")
    void cancelAfterTheGrantGivesBack() {
        drain();
        Receiver<RetryResult<String>> receiver =
                start(AttemptScript.of(BUSY.withHint(Duration.ofSeconds(30))), Duration.ofMinutes(2));
        timer.advance(Duration.ofSeconds(6));
        assertThat(quota.available()).isEqualTo(1);

        receiver.cancel();

        assertThat(quota.available()).isEqualTo(6);
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: a timer that refuses after the grant ends the operation and gives the tokens back")
    void timerThatRefusesAfterTheGrant() {
        drain();
        Receiver<RetryResult<String>> receiver =
                start(AttemptScript.of(BUSY.withHint(Duration.ofSeconds(30))), Duration.ofMinutes(2));

        timer.refuse();
        timer.advance(Duration.ofSeconds(5));

        assertThat(receiver.value().error()).hasMessage("the timer is shut down");
        assertThat(quota.available()).isEqualTo(5);
    }
}
