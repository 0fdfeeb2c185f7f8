package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The retry quota in the engine, one operation at a time. */
class QuotaEngineTest {

    private static final Verdict RESET = Verdict.retry("reset").asAmbiguous();
    private static final Verdict BUSY = Verdict.retry("503 ServerBusy").asThrottling(Throttling.ACCOUNT);
    private static final Verdict OK = Verdict.success();

    private final ManualTimer timer = new ManualTimer();
    private final RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
    private final RetrySettings settings = RetrySettings.defaults();
    private final RetryQuota quota = RetryQuota.of(
            QuotaSettings.builder().capacity(20).refillPerSecond(1).build(), timer);

    private Receiver<Ended<String>> start(Script script, EmptyQuota whenEmpty) {
        return start(script.call(settings, Deadline.in(settings.deadline(), timer)), whenEmpty);
    }

    private Receiver<Ended<String>> start(RetryCall<String> call, EmptyQuota whenEmpty) {
        Receiver<Ended<String>> receiver = new Receiver<>();
        engine.execute(call.within(quota, whenEmpty)).subscribe(receiver);
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
        Script script = Script.of(RESET);

        Ended<String> ended = start(script, EmptyQuota.REFUSE).value();

        assertThat(ended.stop()).isEqualTo(Stop.QUOTA_EMPTY);
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
        RetryCall<String> call = RetryCall.of(
                settings,
                Deadline.in(settings.deadline(), timer),
                (result, error) -> Verdict.retryNow("refused"),
                attempt -> Mono.error(lost));

        Ended<String> ended = start(call, EmptyQuota.REFUSE).value();

        assertThat(ended.stop()).isEqualTo(Stop.QUOTA_EMPTY);
        assertThat(ended.error()).isSameAs(lost);
    }

    @Test
    @DisplayName("RETRY-6: tokens are taken before the delay, and a success gives them back")
    void tokensGoBackWithTheSuccess() {
        Receiver<Ended<String>> receiver = start(Script.of(RESET, RESET, OK), EmptyQuota.REFUSE);

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
        assertThat(start(Script.of(RESET, Verdict.never("400")), EmptyQuota.REFUSE)
                        .empty())
                .isTrue();
        timer.advance(Duration.ofSeconds(2));
        assertThat(quota.available()).isEqualTo(12);

        start(Script.of(Verdict.never("404")), EmptyQuota.REFUSE).value();
        start(Script.of(BUSY.withHint(Duration.ofHours(1))), EmptyQuota.REFUSE).value();
        assertThat(quota.available()).isEqualTo(12);
        start(Script.of(OK), EmptyQuota.REFUSE).value();
        assertThat(quota.available()).isEqualTo(13);
    }

    @Test
    @DisplayName("RETRY-6: the client's own remedy is free, also when the quota is empty")
    void remedyIsFree() {
        drain();
        Script script = Script.of(Verdict.remedied("new token"), OK);

        assertThat(start(script, EmptyQuota.REFUSE).value().succeeded()).isTrue();
        assertThat(script.sent()).isEqualTo(2);
        assertThat(quota.available()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-3: two remedies are tried at once each, since neither is a retry")
    void secondRemedy() {
        Script script = Script.of(Verdict.remedied("new token"), Verdict.remedied("new clock"), OK);
        Receiver<Ended<String>> receiver = start(script, EmptyQuota.REFUSE);

        assertThat(script.sent()).isEqualTo(3);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-6: a cancel during the delay gives the tokens back, a cancel of the retry does not")
    void cancelGivesBack() {
        Receiver<Ended<String>> delayed = start(Script.of(RESET), EmptyQuota.REFUSE);
        assertThat(quota.available()).isEqualTo(10);
        delayed.cancel();
        assertThat(quota.available()).isEqualTo(20);
        delayed.cancel();

        List<Probe<String>> probes = new ArrayList<>();
        RetryCall<String> call =
                RetryCall.of(settings, Deadline.in(settings.deadline(), timer), (result, error) -> BUSY, attempt -> {
                    probes.add(new Probe<>());
                    return probes.get(probes.size() - 1);
                });
        Receiver<Ended<String>> retried = start(call, EmptyQuota.REFUSE);
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
        Receiver<Ended<String>> receiver = new Receiver<>();
        RetryCall<String> call = RetryCall.of(
                settings,
                Deadline.in(settings.deadline(), timer),
                (result, error) -> {
                    receiver.cancel();
                    return RESET;
                },
                attempt -> Mono.just("answer"));
        engine.execute(call.within(quota, EmptyQuota.PACE)).subscribe(receiver);
        receiver.request();

        assertThat(quota.available()).isEqualTo(20);
        assertThat(timer.started()).isZero();
    }

    @Test
    @DisplayName("RETRY-6: a retry that a late timer or a refusing timer keeps from starting gives its tokens back")
    void neverStartedGivesBack() {
        Script script = Script.of(RESET);
        Receiver<Ended<String>> late =
                start(script.call(settings, Deadline.in(Duration.ofSeconds(5), timer)), EmptyQuota.REFUSE);
        timer.stall(Duration.ofMillis(4_001));
        timer.advance(Duration.ZERO);
        assertThat(late.value().stop()).isEqualTo(Stop.DEADLINE);
        assertThat(quota.available()).isEqualTo(20);

        timer.refuse();
        assertThat(start(Script.of(RESET), EmptyQuota.PACE).value().stop()).isEqualTo(Stop.NOT_RETRYABLE);
        assertThat(quota.available()).isEqualTo(20);
    }
}
