package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void factoriesAreNotAmbiguousAndHaveNoHint() {
        assertThat(Verdict.success()).isEqualTo(new Verdict(Verdict.Kind.SUCCESS, false, null, "success"));
        assertThat(Verdict.retryNow("refused")).isEqualTo(new Verdict(Verdict.Kind.RETRY_NOW, false, null, "refused"));
        assertThat(Verdict.retry("503")).isEqualTo(new Verdict(Verdict.Kind.RETRY, false, null, "503"));
        assertThat(Verdict.never("400")).isEqualTo(new Verdict(Verdict.Kind.NEVER, false, null, "400"));
    }

    @Test
    void hintAndAmbiguityKeepTheRest() {
        Verdict verdict = Verdict.retry("503").withHint(Duration.ofSeconds(3)).asAmbiguous();

        assertThat(verdict).isEqualTo(new Verdict(Verdict.Kind.RETRY, true, Duration.ofSeconds(3), "503"));
        assertThat(verdict.withHint(Duration.ZERO).ambiguous()).isTrue();
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
        AttemptLog.Entry clear = new AttemptLog.Entry(1, "503", false, Duration.ZERO, Duration.ZERO);
        AttemptLog.Entry lost = new AttemptLog.Entry(2, "reset", true, Duration.ZERO, Duration.ZERO);

        assertThat(new AttemptLog(List.of(), Duration.ZERO).anyAmbiguous()).isFalse();
        assertThat(new AttemptLog(List.of(clear), Duration.ZERO).anyAmbiguous()).isFalse();
        assertThat(new AttemptLog(List.of(lost, clear), Duration.ZERO).anyAmbiguous())
                .isTrue();
    }

    @Test
    void endedHoldsExactlyOneOfValueAndError() {
        Exception error = new Exception("lost");
        Verdict verdict = Verdict.never("400");

        assertThatThrownBy(() -> new Ended<>("value", error, verdict, AttemptLog.EMPTY, Stop.SUCCEEDED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Ended<>(null, null, verdict, AttemptLog.EMPTY, Stop.SUCCEEDED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new Ended<>("value", null, verdict, AttemptLog.EMPTY, Stop.SUCCEEDED).succeeded())
                .isTrue();
        assertThat(new Ended<>("value", null, verdict, AttemptLog.EMPTY, Stop.DEADLINE).succeeded())
                .isFalse();
    }
}
