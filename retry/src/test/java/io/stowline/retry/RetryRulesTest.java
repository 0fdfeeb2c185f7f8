package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.engine.AttemptScript;
import io.stowline.retry.internal.engine.RetryEngine;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.engine.ScriptedCall;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R2, R4, R5 and R9: what follows an attempt, and when. */
class RetryRulesTest {

    private static final Verdict BUSY = Verdict.retry("503 ServerBusy");
    private static final Verdict REFUSED = Verdict.retryNow("connection refused");

    private final ManualTimer timer = new ManualTimer();
    private final RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
    private final RetrySettings settings = RetrySettings.defaults().withoutReserve();

    private Receiver<RetryResult<String>> start(AttemptScript script, Duration deadline) {
        return start(script.call(settings, Deadline.in(deadline, timer)));
    }

    private Receiver<RetryResult<String>> start(AttemptScript script) {
        return start(script, settings.deadline());
    }

    private Receiver<RetryResult<String>> start(ScriptedCall<String> retryCall) {
        Receiver<RetryResult<String>> receiver = new Receiver<>();
        engine.execute(retryCall).subscribe(receiver);
        return receiver.request();
    }

    private void expectNextAttemptAfter(AttemptScript script, long millis) {
        int sent = script.sent();
        timer.advance(Duration.ofMillis(millis - 1));
        assertThat(script.sent()).isEqualTo(sent);
        timer.advance(Duration.ofMillis(1));
        assertThat(script.sent()).isEqualTo(sent + 1);
    }

    @Test
    @DisplayName("RETRY-2: throttling backs off by the formula, 2, 6, 14, 30 s, then gives up")
    void throttlingBacksOffByTheFormula() {
        AttemptScript script = AttemptScript.of(BUSY);
        Receiver<RetryResult<String>> receiver = start(script);

        assertThat(script.sent()).isEqualTo(1);
        expectNextAttemptAfter(script, 2_000);
        expectNextAttemptAfter(script, 6_000);
        expectNextAttemptAfter(script, 14_000);
        assertThat(receiver.empty()).isTrue();
        expectNextAttemptAfter(script, 30_000);

        RetryResult<String> ended = receiver.value();
        assertThat(ended.stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
        assertThat(ended.value()).isEqualTo("answer 5");
        assertThat(ended.error()).isNull();
        assertThat(ended.verdict()).isEqualTo(BUSY);
        assertThat(ended.log().elapsed()).isEqualTo(Duration.ofSeconds(52));
        assertThat(script.discarded()).containsExactly("answer 1", "answer 2", "answer 3", "answer 4");
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("RETRY-2: a connection that could not be opened is retried at once")
    void refusedConnectionIsRetriedAtOnce() {
        AttemptScript script = AttemptScript.of(REFUSED, Verdict.success());

        RetryResult<String> ended = start(script).value();

        assertThat(ended.stop()).isEqualTo(StopReason.SUCCEEDED);
        assertThat(ended.value()).isEqualTo("answer 2");
        assertThat(ended.log().elapsed()).isZero();
        assertThat(timer.started()).isZero();
    }

    @Test
    @DisplayName("RETRY-2: at once only once, then by the formula; x is the number of the retry")
    void atOnceOnlyOnce() {
        AttemptScript script = AttemptScript.of(REFUSED);
        Receiver<RetryResult<String>> receiver = start(script);

        assertThat(script.sent()).isEqualTo(2);
        expectNextAttemptAfter(script, 6_000);
        expectNextAttemptAfter(script, 14_000);
        expectNextAttemptAfter(script, 30_000);
        assertThat(receiver.value().stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
    }

    @Test
    @DisplayName("RETRY-2: the retry at once may come after others, but not a second time")
    void atOnceLater() {
        AttemptScript script = AttemptScript.of(BUSY, REFUSED, BUSY, REFUSED, Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script);

        timer.advance(Duration.ofSeconds(2));
        assertThat(script.sent()).isEqualTo(3);
        expectNextAttemptAfter(script, 14_000);
        expectNextAttemptAfter(script, 30_000);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-2: an ambiguous attempt is remembered by all that follow")
    void ambiguityIsRemembered() {
        AttemptScript script = AttemptScript.of(BUSY.asAmbiguous(), BUSY, Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script);
        timer.advance(Duration.ofSeconds(8));

        assertThat(script.attempt(1).previousAmbiguous()).isFalse();
        assertThat(script.attempt(2).previousAmbiguous()).isTrue();
        assertThat(script.attempt(3).previousAmbiguous()).isTrue();
        assertThat(receiver.value().verdict().ambiguous()).isFalse();
        assertThat(receiver.value().log().anyAmbiguous()).isTrue();
    }

    @Test
    @DisplayName("RETRY-3: what cannot succeed is not retried")
    void neverIsNotRetried() {
        AttemptScript script = AttemptScript.of(Verdict.never("400 InvalidInput"));

        RetryResult<String> ended = start(script).value();

        assertThat(ended.stop()).isEqualTo(StopReason.NOT_RETRYABLE);
        assertThat(ended.value()).isEqualTo("answer 1");
        assertThat(script.sent()).isEqualTo(1);
        assertThat(script.discarded()).isEmpty();
    }

    @Test
    @DisplayName("RETRY-4: a longer hint is waited for")
    void longerHintIsWaitedFor() {
        AttemptScript script = AttemptScript.of(BUSY.withHint(Duration.ofSeconds(11)), Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script);

        expectNextAttemptAfter(script, 11_000);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-4: a shorter hint does not shorten the back-off")
    void shorterHintChangesNothing() {
        AttemptScript script = AttemptScript.of(BUSY.withHint(Duration.ofSeconds(1)), Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script);

        expectNextAttemptAfter(script, 2_000);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-4: a hint is a floor for the retry at once too")
    void hintHoldsBackTheRetryAtOnce() {
        AttemptScript script = AttemptScript.of(REFUSED.withHint(Duration.ofSeconds(3)), REFUSED, Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script);

        expectNextAttemptAfter(script, 3_000);
        expectNextAttemptAfter(script, 6_000);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-4: a hint beyond the time left fails now and is shown")
    void hintBeyondTheDeadlineFailsNow() {
        AttemptScript script = AttemptScript.of(BUSY.withHint(Duration.ofMinutes(5)));

        RetryResult<String> ended = start(script).value();

        assertThat(ended.stop()).isEqualTo(StopReason.HINT_BEYOND_DEADLINE);
        assertThat(ended.verdict().hint()).isEqualTo(Duration.ofMinutes(5));
        assertThat(ended.value()).isEqualTo("answer 1");
        assertThat(script.sent()).isEqualTo(1);
        assertThat(timer.started()).isZero();
    }

    @Test
    @DisplayName("RETRY-4: a hint that leaves no time for an attempt is beyond the deadline")
    void hintThatLeavesNoTimeForAnAttempt() {
        AttemptScript tooLong = AttemptScript.of(BUSY.withHint(Duration.ofMillis(9_001)));
        AttemptScript fitting = AttemptScript.of(BUSY.withHint(Duration.ofSeconds(9)), Verdict.success());

        assertThat(start(tooLong, Duration.ofSeconds(10)).value().stop()).isEqualTo(StopReason.HINT_BEYOND_DEADLINE);
        Receiver<RetryResult<String>> receiver = start(fitting, Duration.ofSeconds(10));
        expectNextAttemptAfter(fitting, 9_000);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-5: a delay that does not fit in the deadline ends the operation now")
    void delayBeyondTheDeadlineEndsNow() {
        AttemptScript script = AttemptScript.of(BUSY);

        RetryResult<String> ended = start(script, Duration.ofMillis(2_999)).value();

        assertThat(ended.stop()).isEqualTo(StopReason.DEADLINE);
        assertThat(ended.value()).isEqualTo("answer 1");
        assertThat(timer.started()).isZero();
    }

    @Test
    @DisplayName("RETRY-5: an attempt starts when exactly the least time is left")
    void minAttemptIsEnough() {
        AttemptScript script = AttemptScript.of(BUSY, Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script, Duration.ofSeconds(3));

        expectNextAttemptAfter(script, 2_000);

        assertThat(receiver.value().succeeded()).isTrue();
        assertThat(script.attempt(2).clientTimeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("RETRY-5: the reserve for a read-back is not spent on delays")
    void reserveIsNotSpentOnDelays() {
        RetrySettings reserving =
                settings.toBuilder().reserve(Duration.ofSeconds(10)).build();
        AttemptScript script = AttemptScript.of(BUSY, Verdict.success());

        Deadline short1 = Deadline.in(Duration.ofMillis(12_999), timer);
        assertThat(start(script.call(reserving, short1)).value().stop()).isEqualTo(StopReason.DEADLINE);

        AttemptScript second = AttemptScript.of(BUSY, Verdict.success());
        Receiver<RetryResult<String>> receiver =
                start(second.call(reserving, Deadline.in(Duration.ofSeconds(13), timer)));
        expectNextAttemptAfter(second, 2_000);
        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-5: no attempt at all without the time for one")
    void noAttemptWithoutTime() {
        AttemptScript script = AttemptScript.of(Verdict.success());

        RetryResult<String> ended = start(script, Duration.ofMillis(999)).value();

        assertThat(script.sent()).isZero();
        assertThat(ended.stop()).isEqualTo(StopReason.DEADLINE);
        assertThat(ended.error())
                .isInstanceOf(AttemptTimeoutException.class)
                .hasMessage("no attempt was started with PT0.999S left: minAttempt is PT1S, reserve PT0S");
        assertThat(ended.verdict().ambiguous()).isFalse();
        assertThat(ended.log().attempts()).isEmpty();
    }

    @Test
    @DisplayName("RETRY-5: a timer that is late starts no attempt that cannot finish")
    void lateTimerStartsNothing() {
        AttemptScript script = AttemptScript.of(BUSY.asAmbiguous());
        Receiver<RetryResult<String>> receiver = start(script, Duration.ofSeconds(10));

        timer.stall(Duration.ofMillis(9_001));
        timer.advance(Duration.ZERO);

        RetryResult<String> ended = receiver.value();
        assertThat(script.sent()).isEqualTo(1);
        assertThat(ended.stop()).isEqualTo(StopReason.DEADLINE);
        assertThat(ended.error()).isInstanceOf(AttemptTimeoutException.class);
        assertThat(ended.verdict()).isEqualTo(BUSY.asAmbiguous());
        assertThat(ended.log().anyAmbiguous()).isTrue();
    }

    @Test
    @DisplayName("RETRY-9: a body that was consumed is not sent again")
    void consumedBodyIsNotSentAgain() {
        AttemptScript script = AttemptScript.of(BUSY.asAmbiguous());
        ScriptedCall<String> retryCall =
                script.call(settings, Deadline.in(settings.deadline(), timer)).replayableWhile(() -> false);

        RetryResult<String> ended = start(retryCall).value();

        assertThat(ended.stop()).isEqualTo(StopReason.BODY_NOT_REPLAYABLE);
        assertThat(ended.value()).isEqualTo("answer 1");
        assertThat(ended.log().anyAmbiguous()).isTrue();
        assertThat(script.sent()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-9: a body is sent again as long as it has not been consumed")
    void bodyIsSentAgainUntilConsumed() {
        AttemptScript script = AttemptScript.of(REFUSED, BUSY);
        AtomicInteger requested = new AtomicInteger();
        ScriptedCall<String> retryCall = script.call(settings, Deadline.in(settings.deadline(), timer))
                .replayableWhile(() -> requested.incrementAndGet() < 2);

        RetryResult<String> ended = start(retryCall).value();

        assertThat(ended.stop()).isEqualTo(StopReason.BODY_NOT_REPLAYABLE);
        assertThat(script.sent()).isEqualTo(2);
    }

    @Test
    @DisplayName("RETRY-9: the body is not asked about when nothing would be sent anyway")
    void bodyIsNotRequestedWithoutNeed() {
        AtomicInteger requested = new AtomicInteger();
        RetrySettings once = RetrySettings.builder().retries(0).build();
        for (Verdict verdict : new Verdict[] {Verdict.success(), Verdict.never("400"), BUSY}) {
            start(AttemptScript.of(verdict)
                            .call(once, Deadline.in(once.deadline(), timer))
                            .replayableWhile(() -> requested.incrementAndGet() < 0))
                    .value();
        }

        assertThat(requested).hasValue(0);
    }

    @Test
    void noneSendsOnce() {
        RetrySettings none = RetrySettings.builder().backoff(Backoff.none()).build();
        AttemptScript script = AttemptScript.of(BUSY);

        RetryResult<String> ended =
                start(script.call(none, Deadline.in(none.deadline(), timer))).value();

        assertThat(ended.stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
        assertThat(script.sent()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-2: what hardly passes is tried once more by the formula, and not through the ladder")
    void hardlyPassingIsTriedOnce() {
        AttemptScript script = AttemptScript.of(Verdict.retryOnce("UnknownHostException"));
        Receiver<RetryResult<String>> receiver = start(script);

        expectNextAttemptAfter(script, 2_000);

        assertThat(receiver.value().stop()).isEqualTo(StopReason.NOT_RETRYABLE);
        assertThat(script.sent()).isEqualTo(2);
    }

    @Test
    @DisplayName("RETRY-2: the one retry of what hardly passes leaves the ladder to other failures")
    void oneRetryAmongOthers() {
        AttemptScript script = AttemptScript.of(Verdict.retryOnce("UnknownHostException"), BUSY, Verdict.success());
        Receiver<RetryResult<String>> receiver = start(script);

        expectNextAttemptAfter(script, 2_000);
        expectNextAttemptAfter(script, 6_000);

        assertThat(receiver.value().succeeded()).isTrue();
    }

    @Test
    @DisplayName("RETRY-3: a remedy is no retry, and works with none")
    void remedyWithoutRetries() {
        RetrySettings none = RetrySettings.builder().backoff(Backoff.none()).build();
        AttemptScript script =
                AttemptScript.of(Verdict.remedied("new token"), Verdict.remedied("new clock"), Verdict.success());

        RetryResult<String> ended = start(script.call(none, Deadline.in(Duration.ofMinutes(2), timer)))
                .value();

        assertThat(ended.succeeded()).isTrue();
        assertThat(script.sent()).isEqualTo(3);
        assertThat(ended.log().elapsed()).isZero();
    }

    @Test
    @DisplayName("RETRY-3: a remedy takes none of the retries")
    void remedyLeavesTheLadder() {
        AttemptScript script = AttemptScript.of(BUSY, Verdict.remedied("new token"), BUSY, BUSY, BUSY, BUSY);
        Receiver<RetryResult<String>> receiver = start(script);

        timer.advance(Duration.ofSeconds(52));

        assertThat(receiver.value().stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
        assertThat(script.sent()).isEqualTo(6);
    }

    @Test
    @DisplayName("RETRY-3: a classifier that finds a remedy for ever is stopped")
    void endlessRemedies() {
        RetrySettings none = RetrySettings.builder().backoff(Backoff.none()).build();
        AttemptScript script = AttemptScript.of(Verdict.remedied("new token"));

        RetryResult<String> ended = start(script.call(none, Deadline.in(Duration.ofMinutes(2), timer)))
                .value();

        assertThat(ended.stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
        assertThat(script.sent()).isEqualTo(9);
    }
}
