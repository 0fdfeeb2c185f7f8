package io.stowline.benchmarks.scale.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.benchmarks.scale.model.AccountOutage.OutageKind;
import org.junit.jupiter.api.Test;

class RunFiguresTest {

    private final RunFigures figures = new RunFigures(100, 50, 100, 4);

    @Test
    void fairnessIsJainsIndex() {
        assertThat(RunFigures.fairness(new long[] {5, 5, 5, 5})).isEqualTo(1);
        assertThat(RunFigures.fairness(new long[] {8, 0, 0, 0})).isEqualTo(0.25);
        assertThat(RunFigures.fairness(new long[] {1, 3})).isEqualTo(0.8);
        assertThat(RunFigures.fairness(new long[] {0, 0})).isEqualTo(1);
    }

    @Test
    void onlyTheMeasuredSecondsCount() {
        figures.sent(10);
        figures.done(10, 1, 0);
        for (int i = 0; i < 4; i++) {
            figures.sent(60);
        }
        figures.refused(60);
        figures.done(60, 0.1, 1);
        figures.done(61, 0.2, 2);
        figures.failed(61);

        assertThat(figures.goodput()).isEqualTo(2 / 50.0);
        assertThat(figures.throttledShare()).isEqualTo(0.25);
        assertThat(figures.amplification()).isEqualTo(2);
        assertThat(figures.failedShare()).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(figures.fairness()).isEqualTo(0.5);
        assertThat(figures.meanLatencyMillis()).isCloseTo(150, within(1e-9));
    }

    @Test
    void latenciesAreExactToTwoPercent() {
        for (int i = 1; i <= 1_000; i++) {
            figures.done(60, i / 1_000.0, 0);
        }

        assertThat(figures.latencyMillis(0.5)).isCloseTo(500, within(10.0));
        assertThat(figures.latencyMillis(0.99)).isCloseTo(990, within(20.0));
        assertThat(figures.latencyMillis(1)).isCloseTo(1_000, within(20.0));
    }

    @Test
    void recoveryEndsWhenTheGoodputStaysBack() {
        for (int second = 0; second < 100; second++) {
            int successes = second < 20 ? 100 : second < 40 ? 0 : second < 55 ? 80 : 100;
            for (int i = 0; i < successes; i++) {
                figures.done(second, 0.1, 0);
            }
        }

        // From second 53 on a window of ten seconds has at most two of those with 80.
        assertThat(figures.recoverySeconds(new AccountOutage(OutageKind.FAILING, 20, 40)))
                .isEqualTo(13);
    }

    @Test
    void figuresOfAccountsAddUp() {
        RunFigures one = new RunFigures(100, 50, 100, 2);
        RunFigures two = new RunFigures(100, 50, 100, 2);
        one.done(60, 0.1, 0);
        two.done(60, 0.3, 1);
        two.sent(3);

        figures.add(one, 0);
        figures.add(two, 2);

        assertThat(figures.doneBySecond()[60]).isEqualTo(2);
        assertThat(figures.sentBySecond()[3]).isOne();
        assertThat(figures.maxSent(0, 100)).isOne();
        assertThat(figures.fairness()).isEqualTo(0.5);
        assertThat(figures.meanLatencyMillis()).isCloseTo(200, within(1e-9));
    }
}
