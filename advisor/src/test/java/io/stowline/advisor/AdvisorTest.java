package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.observe.AttemptEvent.Condition;
import io.stowline.observe.AttemptReason;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("an advisor reports each practice, and changes of state once")
class AdvisorTest {

    private static final Duration WINDOW = Duration.ofMinutes(5);

    private static void poll(FakeTraffic traffic) {
        traffic.run(60, 10, i -> traffic.add(FakeAttempt.receive(32, 0)));
    }

    @Test
    void reportsEachPracticeInTheOrderOfTheChecklists() {
        AdviceReport report = new FakeTraffic(WINDOW).advisor.report();

        assertThat(report.rows()).extracting(Finding::practice).containsExactly(Practice.values());
        assertThat(Practice.values()).hasSize(54);
    }

    @Test
    void ordersFindingsByTheirSeverity() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        poll(traffic);
        traffic.add(FakeAttempt.insert("p", "r").ending(AttemptReason.REFUSED, 400, "EntityTooLarge"));

        AdviceReport report = traffic.advisor.report();

        assertThat(report.findings()).extracting(Finding::practice).containsExactly(Practice.T20, Practice.Q5);
        assertThat(report.worst()).isEqualTo(Severity.ERROR);
        assertThat(report.totals().attempts()).isEqualTo(601);
        assertThat(report.timeline()).hasSize(3);
        assertThat(report.window()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void suppressesUntilADay() {
        for (int days : new int[] {-1, 0}) {
            FakeTraffic traffic = new FakeTraffic(
                    WINDOW,
                    with -> with.suppress(
                            Practice.Q5, "a test", LocalDate.of(2026, 11, 29).plusDays(days)));
            poll(traffic);

            AdviceReport report = traffic.advisor.report();

            assertThat(report.of(Practice.Q5).severity()).isEqualTo(Severity.ADVICE);
            assertThat(report.of(Practice.Q5).isOpen()).isEqualTo(days < 0);
            assertThat(report.worst()).isEqualTo(days < 0 ? Severity.ADVICE : Severity.OK);
        }
    }

    @Test
    void keepsTheBeginOfAFinding() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        poll(traffic);
        Finding first = traffic.finding(Practice.Q5);
        poll(traffic);

        Finding second = traffic.finding(Practice.Q5);

        assertThat(second.since()).isEqualTo(first.since());
        assertThat(second.window()).isGreaterThan(first.window());
    }

    @Test
    void judgesAtTheEndOfEachPartOfTheWindow() {
        List<Runnable> judgements = new ArrayList<>();
        FakeTraffic traffic = new FakeTraffic(WINDOW, with -> with.executor(judgements::add));

        poll(traffic);

        assertThat(judgements).as("after 30 s").hasSize(1);
        judgements.forEach(Runnable::run);
        assertThat(traffic.finding(Practice.Q5).severity()).isEqualTo(Severity.ADVICE);
    }

    @Test
    void hearsNothingAfterItsEnd() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.advisor.close();

        poll(traffic);

        assertThat(traffic.advisor.report().totals().attempts()).isZero();
    }

    @Test
    void showsKeysOnlyIfAllowed() {
        FakeTraffic hashed = new FakeTraffic(WINDOW, with -> with.threshold(Threshold.PARTITION_ENTITIES, 10));
        FakeTraffic shown =
                new FakeTraffic(WINDOW, with -> with.showKeys().threshold(Threshold.PARTITION_ENTITIES, 10));
        for (FakeTraffic traffic : List.of(hashed, shown)) {
            traffic.run(30, 20, i -> traffic.add(FakeAttempt.insert("customer-7", "r" + i)));
        }

        assertThat(hashed.finding(Practice.T6).objects())
                .singleElement()
                .asString()
                .contains("partition #", "runners")
                .doesNotContain("customer");
        assertThat(shown.finding(Practice.T6).objects())
                .singleElement()
                .asString()
                .contains("'customer-7'");
    }

    @Test
    void hostileNamesStayInOneLine() {
        FakeTraffic traffic =
                new FakeTraffic(WINDOW, with -> with.showKeys().threshold(Threshold.PARTITION_ENTITIES, 10));
        traffic.run(30, 20, i -> traffic.add(FakeAttempt.insert("a\nb\u202e<script>", "r" + i)));

        assertThat(traffic.finding(Practice.T6).objects())
                .singleElement()
                .asString()
                .contains("'a?b?<script>'");
    }

    @Test
    void readsOfAnotherOperationDecideNothing() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(30, 20, i -> {
            traffic.add(FakeAttempt.find("p" + i, "r", "e").partOf("insert"));
            traffic.add(FakeAttempt.insert("p" + i, "r"));
        });

        assertThat(traffic.severity(Practice.T13)).isEqualTo(Severity.OK);
    }

    @Test
    void aConditionDecidesItself() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(30, 20, i -> {
            traffic.add(FakeAttempt.find("p" + i, "r", "e"));
            traffic.add(FakeAttempt.insert("p" + i, "r").on(Condition.IF_MATCH));
        });

        assertThat(traffic.severity(Practice.T13)).isEqualTo(Severity.OK);
    }

    @Test
    void aRefusedInsertBeforeAWriteIsAReadThenWrite() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(30, 20, i -> {
            traffic.add(FakeAttempt.insert("p" + i, "r").ending(AttemptReason.REFUSED, 409, "EntityAlreadyExists"));
            traffic.add(FakeAttempt.of("table", "insertOrMerge", "runners")
                    .at("p" + i, "r")
                    .writing(100));
        });

        assertThat(traffic.severity(Practice.T13)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void aDownloadByOneRangeIsAReadOfTheWhole() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(
                30, 20, i -> traffic.add(FakeAttempt.download("a.jpg", "e").ending(AttemptReason.SUCCESS, 206, null)));

        assertThat(traffic.severity(Practice.A8)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void rangesOfALargeBlobAndOfAChannelAreNoReadsOfTheWhole() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(30, 20, i -> {
            traffic.add(
                    FakeAttempt.download("disk.img", "e").reading(4 << 20).ending(AttemptReason.SUCCESS, 206, null));
            traffic.add(
                    FakeAttempt.download("disk.img", "e").partOf("channel").ending(AttemptReason.SUCCESS, 206, null));
        });

        assertThat(traffic.severity(Practice.A8)).isEqualTo(Severity.NOT_ENOUGH_DATA);
    }

    @Test
    void aListOfBlocksIsNoSmallBlob() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(30, 20, i -> {
            traffic.add(FakeAttempt.upload("disk" + i, 8 << 20));
            traffic.add(FakeAttempt.upload("disk" + i, 8 << 20));
            traffic.add(FakeAttempt.upload("disk" + i, 200));
        });

        assertThat(traffic.severity(Practice.A9)).isEqualTo(Severity.OK);
    }

    @Test
    void keysThatFallAreFoundAsWell() {
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));
        traffic.run(50, 600, i -> traffic.add(FakeAttempt.insert(String.format("x%08d", 1_000_000 - i), "r")));

        assertThat(traffic.finding(Practice.T5).problem()).contains("beginning", "fall");
    }

    @Test
    void requestsThatEndOutOfOrderRiseAsWell() {
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));
        traffic.run(
                50, 600, i -> traffic.add(FakeAttempt.insert(String.format("x%08d", i / 50 * 50 + 49 - i % 50), "r")));

        assertThat(traffic.severity(Practice.T5)).isEqualTo(Severity.WARNING);
    }

    @Test
    void keysOfEachMinuteRise() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(295, 600, i -> traffic.add(FakeAttempt.insert(String.format("00:%02d", i / 600 / 60), "r" + i)));

        assertThat(traffic.severity(Practice.T5)).isEqualTo(Severity.WARNING);
    }

    @Test
    void aSinglePartitionDoesNotRise() {
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));
        traffic.run(50, 600, i -> traffic.add(FakeAttempt.insert("p", "r" + i)));

        assertThat(traffic.severity(Practice.T5)).isEqualTo(Severity.OK);
    }

    @Test
    void smallTablesAreNeitherSparseNorScanned() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(60, 2, i -> traffic.page("table-scan", "age ge ?", 1, 1_000, false, 2, 2, 100));

        assertThat(traffic.advisor.report().findings()).isEmpty();
        traffic.run(10, 3, i -> traffic.page("table-scan", "age ge ?", 1, 1_000, true, 2, 2, 100));
        assertThat(traffic.advisor.report().findings())
                .extracting(Finding::practice)
                .containsExactly(Practice.T7, Practice.T8, Practice.T11);
    }

    @Test
    void twoLostConnectionsMayBeChance() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        for (int lost = 0; lost < 2; lost++) {
            traffic.add(FakeAttempt.insert("p", "r" + lost).ending(AttemptReason.CONNECTION, 0, null));
            traffic.add(FakeAttempt.insert("p", "r" + lost).throttled());
            traffic.add(FakeAttempt.insert("p", "r" + lost).ending(AttemptReason.REFUSED, 400, "InvalidInput"));
        }
        traffic.run(60, 5, i -> traffic.add(FakeAttempt.insert("p" + i, "r")));
        assertThat(traffic.advisor.report().findings()).isEmpty();

        traffic.add(FakeAttempt.insert("p", "r").ending(AttemptReason.CONNECTION, 0, null));
        traffic.add(FakeAttempt.insert("p", "r").throttled());
        traffic.run(
                0.1,
                10,
                i -> traffic.add(FakeAttempt.insert("p", "r").ending(AttemptReason.REFUSED, 400, "InvalidInput")));

        assertThat(traffic.advisor.report().findings())
                .extracting(Finding::practice)
                .containsExactly(Practice.A4, Practice.T1);
    }

    @Test
    void aFindingGoesAwayWithinTwoWindowsOfAClockThatWasSetBack() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        poll(traffic);
        assertThat(traffic.finding(Practice.Q5).isOpen()).isTrue();
        traffic.pass(Duration.ofHours(-1));
        poll(traffic);
        assertThat(traffic.advisor.report().totals().attempts()).isEqualTo(1_200);

        traffic.pass(WINDOW.multipliedBy(2));

        assertThat(traffic.finding(Practice.Q5).isOpen()).isFalse();
        assertThat(traffic.advisor.report().totals().attempts()).isZero();
    }

    @Test
    void aClockThatGoesBackLosesNoEvent() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        poll(traffic);
        traffic.pass(Duration.ofHours(-1));
        poll(traffic);

        assertThat(traffic.advisor.report().totals().attempts()).isEqualTo(1_200);
    }

    @Test
    void anIdleTimeOfMoreThanAWindowForgetsAll() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        poll(traffic);
        traffic.pass(Duration.ofDays(2));

        assertThat(traffic.advisor.report().totals().attempts()).isZero();
        poll(traffic);
        assertThat(traffic.advisor.report().totals().attempts()).isEqualTo(600);
    }

    @Test
    void furtherTablesGetAPlaceOnceOneIsIdle() {
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));
        for (int i = 0; i < 32; i++) {
            traffic.add(FakeAttempt.insert("p", "r").in("table" + i));
        }
        traffic.run(
                20,
                600,
                i -> traffic.add(
                        FakeAttempt.insert(String.format("x%08d", i), "r").in("late")));
        assertThat(traffic.severity(Practice.T5)).isLessThan(Severity.WARNING);
        assertThat(traffic.advisor.report().totals().attempts()).isEqualTo(12_032);

        traffic.pass(Duration.ofMinutes(1));
        traffic.run(
                50,
                600,
                i -> traffic.add(
                        FakeAttempt.insert(String.format("x%08d", i), "r").in("late")));

        assertThat(traffic.finding(Practice.T5).objects()).containsExactly("table late");
    }

    @Test
    void refusesSettingsThatMeanNothing() {
        AdvisorSettings.Builder settings = AdvisorSettings.builder();

        assertThatThrownBy(() -> settings.window(Duration.ofSeconds(9))).hasMessageContaining("window is PT9S");
        assertThatThrownBy(() -> settings.window(Duration.ofHours(25))).hasMessageContaining("window is PT25H");
        assertThatThrownBy(() -> settings.minSamples(0)).hasMessageContaining("minSamples is 0");
        assertThatThrownBy(() -> settings.threshold(Threshold.DENSITY, Double.NaN))
                .hasMessageContaining("DENSITY is NaN");
        assertThatThrownBy(() -> settings.suppress(Practice.A1, " ", null)).hasMessageContaining("blank");
    }
}
