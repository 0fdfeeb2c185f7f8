package io.stowline.retry.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.retry.AttemptEnd;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.timeout.AttemptLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void factoriesAreNotAmbiguousAndHaveNoHint() {
        assertThat(Verdict.success())
                .isEqualTo(new Verdict(Verdict.VerdictKind.SUCCESS, false, null, "success", ThrottleScope.NONE));
        assertThat(Verdict.retryNow("refused"))
                .isEqualTo(new Verdict(Verdict.VerdictKind.RETRY_NOW, false, null, "refused", ThrottleScope.NONE));
        assertThat(Verdict.remedied("new token"))
                .isEqualTo(new Verdict(Verdict.VerdictKind.REMEDIED, false, null, "new token", ThrottleScope.NONE));
        assertThat(Verdict.retry("503"))
                .isEqualTo(new Verdict(Verdict.VerdictKind.RETRY, false, null, "503", ThrottleScope.NONE));
        assertThat(Verdict.never("400"))
                .isEqualTo(new Verdict(Verdict.VerdictKind.NEVER, false, null, "400", ThrottleScope.NONE));
    }

    @Test
    void hintAndAmbiguityKeepTheRest() {
        Verdict verdict = Verdict.retry("503").withHint(Duration.ofSeconds(3)).asAmbiguous();

        assertThat(verdict)
                .isEqualTo(
                        new Verdict(Verdict.VerdictKind.RETRY, true, Duration.ofSeconds(3), "503", ThrottleScope.NONE));
        assertThat(verdict.withHint(Duration.ZERO).ambiguous()).isTrue();
    }

    @Test
    void throttlingKeepsTheRestAndIsKept() {
        Verdict verdict = Verdict.retry("503").asAmbiguous().asThrottling(ThrottleScope.PARTITION);

        assertThat(verdict.throttling()).isEqualTo(ThrottleScope.PARTITION);
        assertThat(verdict.ambiguous()).isTrue();
        assertThat(verdict.withHint(Duration.ZERO).asAmbiguous().throttling()).isEqualTo(ThrottleScope.PARTITION);
        assertThatThrownBy(() -> verdict.asThrottling(null)).hasMessage("throttling");
    }

    @Test
    void anEntryTellsWhatItsVerdictSays() {
        Verdict verdict = Verdict.retry("503").asThrottling(ThrottleScope.ACCOUNT);
        AttemptEnd entry = verdict.entry(1, Duration.ZERO, Duration.ZERO);

        assertThat(entry.reason()).isEqualTo("503");
        assertThat(entry.ambiguous()).isFalse();
        assertThat(entry.throttling()).isEqualTo(ThrottleScope.ACCOUNT);
    }

    @Test
    void refusesANegativeHint() {
        assertThatThrownBy(() -> Verdict.retry("503").withHint(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("hint must be at least PT0S but was PT-1S");
    }

    @Test
    void anAbsurdHintCountsAsAYear() {
        assertThat(Verdict.retry("503")
                        .withHint(Duration.ofSeconds(Long.MAX_VALUE))
                        .hint())
                .isEqualTo(Duration.ofDays(365));
    }

    @Test
    void logKnowsWhetherAnyAttemptWasAmbiguous() {
        AttemptEnd clear = Verdict.retry("503").entry(1, Duration.ZERO, Duration.ZERO);
        AttemptEnd lost = Verdict.retry("reset").asAmbiguous().entry(2, Duration.ZERO, Duration.ZERO);

        assertThat(new AttemptLog(List.of(), Duration.ZERO).anyAmbiguous()).isFalse();
        assertThat(new AttemptLog(List.of(clear), Duration.ZERO).anyAmbiguous()).isFalse();
        assertThat(new AttemptLog(List.of(lost, clear), Duration.ZERO).anyAmbiguous())
                .isTrue();
    }

    @Test
    void endedHoldsExactlyOneOfValueAndError() {
        Exception error = new Exception("lost");
        Verdict verdict = Verdict.never("400");

        assertThatThrownBy(() -> new RetryResult<>("value", error, verdict, AttemptLog.EMPTY, StopReason.SUCCEEDED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RetryResult<>(null, null, verdict, AttemptLog.EMPTY, StopReason.SUCCEEDED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new RetryResult<>("value", null, verdict, AttemptLog.EMPTY, StopReason.SUCCEEDED).succeeded())
                .isTrue();
        assertThat(new RetryResult<>("value", null, verdict, AttemptLog.EMPTY, StopReason.DEADLINE).succeeded())
                .isFalse();
    }
}
