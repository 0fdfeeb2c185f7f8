package io.stowline.retry.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.Draws;
import io.stowline.retry.ManualTimer;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.Receiver;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The retry quota in the engine, one operation at a time. */
class QuotaEngineTest {

    private static final Verdict RESET = Verdict.retry("reset").asAmbiguous();
    private static final Verdict BUSY = Verdict.retry("503 ServerBusy").asThrottling(ThrottleScope.ACCOUNT);
    private static final Verdict OK = Verdict.success();

    private final ManualTimer timer = new ManualTimer();
    private final RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
    private final RetrySettings settings = RetrySettings.defaults();
    private final RetryQuota quota = RetryQuota.of(
            QuotaSettings.builder().capacity(20).refillPerSecond(1).build(), timer);

    private Receiver<RetryResult<String>> start(AttemptScript script, RetryQuota.ExhaustedPolicy whenEmpty) {
        return start(script.call(settings, Deadline.in(settings.deadline(), timer)), whenEmpty);
    }

    private Receiver<RetryResult<String>> start(ScriptedCall<String> retryCall, RetryQuota.ExhaustedPolicy whenEmpty) {
        Receiver<RetryResult<String>> receiver = new Receiver<>();
        engine.execute(retryCall.within(quota, whenEmpty)).subscribe(receiver);
        return receiver.request();
    }

    private void drain() {
        while (quota.claim(BUSY).tryTake()) {
            assertThat(quota.available()).isNotNegative();
        }
    }

    @Test
    @DisplayName("RETRY-6: a direct call that meets an empty quota ends at once with its last result")
    void emptyQuotaRefusesADirectCall() {
        drain();
        AttemptScript script = AttemptScript.of(RESET);

        RetryResult<String> ended =
                start(script, RetryQuota.ExhaustedPolicy.REFUSE).value();

        assertThat(ended.stop()).isEqualTo(StopReason.QUOTA_EMPTY);
        assertThat(ended.value()).isEqualTo("answer 1");
        assertThat(ended.verdict()).isEqualTo(RESET);
        assertThat(ended.log().anyAmbiguous()).isTrue();
        assertThat(script.discarded()).isEmpty();
        assertThat(timer.started()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: a direct call that meets an empty quota ends at once with its last error")
    void emptyQuotaKeepsTheLastError() {
        drain();
        Exception lost = new Exception("lost");
        ScriptedCall<String> retryCall = ScriptedCall.of(
                settings,
                Deadline.in(settings.deadline(), timer),
                (result, error) -> Verdict.retryNow("refused"),
                attempt -> Mono.error(lost));

        RetryResult<String> ended =
                start(retryCall, RetryQuota.ExhaustedPolicy.REFUSE).value();

        assertThat(ended.stop()).isEqualTo(StopReason.QUOTA_EMPTY);
        assertThat(ended.error()).isSameAs(lost);
    }

    @Test
    @DisplayName("RETRY-6: tokens are taken before the delay, and a success gives them back")
    void tokensGoBackWithTheSuccess() {
        Receiver<RetryResult<String>> receiver =
                start(AttemptScript.of(RESET, RESET, OK), RetryQuota.ExhaustedPolicy.REFUSE);

        assertThat(quota.available()).isEqualTo(10);
        timer.advance(Duration.ofSeconds(2));
        assertThat(quota.available()).isEqualTo(2);
        timer.advance(Duration.ofSeconds(6));
        assertThat(receiver.value().succeeded()).isTrue();
        assertThat(quota.available()).isEqualTo(18);
    }

    @Test
    @DisplayName("RETRY-6: a failed operation has spent its tokens, and what needs no retry takes none")
    void failuresSpend() {
        assertThat(start(AttemptScript.of(RESET, Verdict.never("400")), RetryQuota.ExhaustedPolicy.REFUSE)
                        .empty())
                .isTrue();
        timer.advance(Duration.ofSeconds(2));
        assertThat(quota.available()).isEqualTo(12);

        start(AttemptScript.of(Verdict.never("404")), RetryQuota.ExhaustedPolicy.REFUSE)
                .value();
        start(AttemptScript.of(BUSY.withHint(Duration.ofHours(1))), RetryQuota.ExhaustedPolicy.REFUSE)
                .value();
        assertThat(quota.available()).isEqualTo(12);
        start(AttemptScript.of(OK), RetryQuota.ExhaustedPolicy.REFUSE).value();
        assertThat(quota.available()).isEqualTo(13);
    }

    @Test
    @DisplayName("RETRY-6: the client's own remedy is free, also when the quota is empty")
    void remedyIsFree() {
        drain();
        AttemptScript script = AttemptScript.of(Verdict.remedied("new token"), OK);

        assertThat(start(script, RetryQuota.ExhaustedPolicy.REFUSE).value().succeeded())
                .isTrue();
        assertThat(script.sent()).isEqualTo(2);
        assertThat(quota.available()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-3: two remedies are tried at once each, since neither is a retry")
    void secondRemedy() {
        AttemptScript script = AttemptScript.of(Verdict.remedied("new token"), Verdict.remedied("new clock"), OK);
        Receiver<RetryResult<String>> receiver = start(script, RetryQuota.ExhaustedPolicy.REFUSE);

        assertThat(script.sent()).isEqualTo(3);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-6: a cancel during the delay gives the tokens back, a cancel of the retry does not")
    void cancelGivesBack() {
        Receiver<RetryResult<String>> delayed = start(AttemptScript.of(RESET), RetryQuota.ExhaustedPolicy.REFUSE);
        assertThat(quota.available()).isEqualTo(10);
        delayed.cancel();
        assertThat(quota.available()).isEqualTo(20);
        delayed.cancel();

        List<Probe<String>> probes = new ArrayList<>();
        ScriptedCall<String> retryCall =
                ScriptedCall.of(settings, Deadline.in(settings.deadline(), timer), (result, error) -> BUSY, attempt -> {
                    probes.add(new Probe<>());
                    return probes.get(probes.size() - 1);
                });
        Receiver<RetryResult<String>> retried = start(retryCall, RetryQuota.ExhaustedPolicy.REFUSE);
        probes.get(0).emit("busy");
        timer.advance(Duration.ofSeconds(2));
        assertThat(quota.available()).isEqualTo(17);
        retried.cancel();
        assertThat(probes.get(1).cancelled()).isTrue();
        assertThat(quota.available()).isEqualTo(17);
    }

    @Test
    @DisplayName("RETRY-6: a cancel while the attempt is judged gives the tokens back")
    void cancelWhileJudgedGivesBack() {
        Receiver<RetryResult<String>> receiver = new Receiver<>();
        ScriptedCall<String> retryCall = ScriptedCall.of(
                settings,
                Deadline.in(settings.deadline(), timer),
                (result, error) -> {
                    receiver.cancel();
                    return RESET;
                },
                attempt -> Mono.just("answer"));
        engine.execute(retryCall.within(quota, RetryQuota.ExhaustedPolicy.PACE)).subscribe(receiver);
        receiver.request();

        assertThat(quota.available()).isEqualTo(20);
        assertThat(timer.started()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: a retry that a late timer or a refusing timer keeps from starting gives its tokens back")
    void neverStartedGivesBack() {
        AttemptScript script = AttemptScript.of(RESET);
        Receiver<RetryResult<String>> late = start(
                script.call(settings, Deadline.in(Duration.ofSeconds(5), timer)), RetryQuota.ExhaustedPolicy.REFUSE);
        timer.stall(Duration.ofMillis(4_001));
        timer.advance(Duration.ZERO);
        assertThat(late.value().stop()).isEqualTo(StopReason.DEADLINE);
        assertThat(quota.available()).isEqualTo(20);

        timer.refuse();
        assertThat(start(AttemptScript.of(RESET), RetryQuota.ExhaustedPolicy.PACE)
                        .value()
                        .stop())
                .isEqualTo(StopReason.NOT_RETRYABLE);
        assertThat(quota.available()).isEqualTo(20);
    }
}
