package io.stowline.benchmarks.scale.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.benchmarks.scale.model.AccountOutage.OutageKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccountRunTest {

    private static final ServiceCapacity CAPACITY = ServiceCapacity.standard();
    private static final int OUTAGE_BEGINS = 30;
    private static final int OUTAGE_ENDS = 90;

    private static AccountWorkload outage(OutageKind kind) {
        return new AccountWorkload(
                20, 64, 8, 100, second -> 10_000, 0, new AccountOutage(kind, OUTAGE_BEGINS, OUTAGE_ENDS), 240, 30);
    }

    private static RunFigures run(ComparedPolicy policy, AccountWorkload work, long seed) {
        return new AccountRun(CAPACITY, policy, work, seed, 0).run().figures();
    }

    private static double maxAfter(ComparedPolicy policy, OutageKind kind, int seconds) {
        return run(policy, outage(kind), 1).maxSent(OUTAGE_ENDS, OUTAGE_ENDS + seconds);
    }

    @ParameterizedTest
    @EnumSource
    void eachPolicyCarriesHalfOfTheLoadWithoutRefusals(ComparedPolicy policy) {
        AccountWorkload work = new AccountWorkload(20, 64, 8, 100, second -> 10_000, 0, null, 60, 10);
        RunFigures figures = run(policy, work, 1);

        assertThat(figures.goodput()).isCloseTo(100, within(6.0));
        assertThat(figures.amplification()).isCloseTo(1, within(0.01));
        assertThat(figures.throttledShare()).isLessThan(0.01);
        assertThat(figures.fairness()).isGreaterThan(0.98);
    }

    @ParameterizedTest
    @EnumSource
    void oneSeedGivesOneRun(ComparedPolicy policy) {
        AccountWorkload work = outage(OutageKind.SILENT);

        assertThat(run(policy, work, 1).sentBySecond())
                .isEqualTo(run(policy, work, 1).sentBySecond());
        assertThat(run(policy, work, 2).sentBySecond())
                .isNotEqualTo(run(policy, work, 1).sentBySecond());
    }

    @ParameterizedTest
    @EnumSource
    void eachOperationEndsAndTheGoodputComesBack(ComparedPolicy policy) {
        RunFigures figures = run(policy, outage(OutageKind.FAILING), 1);

        assertThat(figures.doneBySecond()[OUTAGE_BEGINS + 10]).isZero();
        assertThat(figures.recoverySeconds(outage(OutageKind.FAILING).outage())).isLessThan(140);
    }

    /** A policy without jitter repeats the moment of the reset; a deliberate break that the figures show. */
    @Test
    void withoutJitterTheRetriesAfterAResetComeTogether() {
        double still = maxAfter(ComparedPolicy.FIXED, OutageKind.SILENT, 20);
        double spread = maxAfter(ComparedPolicy.FIXED_JITTER, OutageKind.SILENT, 20);

        assertThat(still).isGreaterThan(1.5 * spread);
    }

    @Test
    void aQuotaBoundsTheRetriesOfAnOutage() {
        double loop = run(ComparedPolicy.FIXED, outage(OutageKind.FAILING), 1).maxSent(60, OUTAGE_ENDS);
        double quota =
                run(ComparedPolicy.STOWLINE, outage(OutageKind.FAILING), 1).maxSent(60, OUTAGE_ENDS);

        // 100 operations and 20 clients with 5 transient retries a second each.
        assertThat(quota).isLessThan(300);
        assertThat(loop).isGreaterThan(500);
    }

    @Test
    void sharesOfTheTargetsKeepAnOverloadedAccountFree() {
        AccountWorkload work = new AccountWorkload(20, 64, 8, 100, second -> 30_000, 0, null, 180, 120);
        RunFigures rated = run(ComparedPolicy.STOWLINE_RATED, work, 1);

        assertThat(rated.throttledShare()).isLessThan(0.2);
        assertThat(rated.goodput() * 100).isGreaterThan(0.9 * CAPACITY.account());
    }

    @Test
    void aHotPartitionHasFiguresOfItsOwn() {
        AccountWorkload work = new AccountWorkload(20, 64, 8, 100, second -> 5_000, 1_000, null, 60, 10);
        AccountRun run = new AccountRun(CAPACITY, ComparedPolicy.STOWLINE, work, 1, 0).run();

        assertThat(run.figures().goodput() * 100).isCloseTo(5_000, within(400.0));
        assertThat(run.hotFigures().goodput() * 100).isCloseTo(1_000, within(200.0));
    }
}
