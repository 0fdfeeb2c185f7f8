package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("an assertion on the advice of a test")
class StowlineAdviceTest {

    private static final Duration WINDOW = Duration.ofMinutes(5);

    /** Polls an empty queue, which is broken as advice. */
    private static AdviceReport polls(FakeTraffic traffic) {
        traffic.run(60, 10, i -> traffic.add(FakeAttempt.receive(32, 0)));
        return traffic.advisor.report();
    }

    @Test
    void failsWithTheFindingAndItsMend() {
        AdviceReport report = polls(new FakeTraffic(WINDOW));

        assertThatThrownBy(() -> StowlineAdvice.assertNone(report, Severity.ADVICE))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("findings of severity ADVICE or graver: 1\n\nADVICE Q5 (poll wisely): ")
                .hasMessageContaining("\n  mend: " + report.of(Practice.Q5).mend())
                .hasMessageContaining("\n  code: " + report.of(Practice.Q5).code())
                .hasMessageContaining("\n  " + Practice.Q5.link());
    }

    @Test
    void passesBelowTheSeverity() {
        AdviceReport report = polls(new FakeTraffic(WINDOW));

        assertThatCode(() -> StowlineAdvice.assertNone(report, Severity.WARNING))
                .doesNotThrowAnyException();
    }

    @Test
    void passesSuppressedFindings() {
        AdviceReport report = polls(new FakeTraffic(WINDOW, with -> with.suppress(Practice.Q5, "a test", null)));

        assertThatCode(() -> StowlineAdvice.assertNone(report, Severity.ADVICE)).doesNotThrowAnyException();
    }

    @Test
    void failsWithoutTraffic() {
        AdviceReport report = new FakeTraffic(WINDOW).advisor.report();

        assertThatThrownBy(() -> StowlineAdvice.assertNone(report, Severity.WARNING))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seen no attempt")
                .hasMessageContaining("listener");
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_APPLICABLE", "NOT_ENOUGH_DATA", "OK"})
    void refusesSeveritiesThatAreNotBroken(Severity least) {
        AdviceReport report = new FakeTraffic(WINDOW).advisor.report();

        assertThatThrownBy(() -> StowlineAdvice.assertNone(report, least))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("least is " + least + ": it must be ADVICE, WARNING or ERROR");
    }
}
