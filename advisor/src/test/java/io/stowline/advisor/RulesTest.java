package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("each rule of traffic breaks beyond its threshold, and not at it")
class RulesTest {

    /** A single large body, or volume, is a fact: more samples change nothing. Queries have least numbers that no setting changes. */
    private static final Set<Practice> OF_FEW =
            EnumSet.of(Practice.B5, Practice.B7, Practice.T7, Practice.T8, Practice.T11, Practice.T20);

    static Stream<RuleCase> cases() {
        return RuleCases.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void defaultIsTheFigureOfTheArticle(RuleCase rule) {
        assertThat(rule.threshold().value()).isEqualTo(rule.edge());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void breaksBeyondItsThreshold(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(rule.window());
        rule.run(traffic, rule.beyond());

        Finding finding = traffic.finding(rule.practice());

        assertThat(finding.severity()).as(finding.toString()).isEqualTo(rule.severity());
        assertThat(finding.evidence())
                .anySatisfy(figure -> assertThat(figure.threshold()).isEqualTo(rule.edge()));
        assertThat(finding.problem()).isNotBlank();
        assertThat(traffic.advisor.report().findings()).contains(traffic.finding(rule.practice()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isObeyedAtItsThreshold(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(rule.window());
        rule.run(traffic, 1);

        Finding finding = traffic.finding(rule.practice());

        assertThat(finding.severity()).as(finding.toString()).isLessThan(rule.severity());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isObeyedFarFromItsThreshold(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(rule.window());
        rule.run(traffic, 0.5);

        Finding finding = traffic.finding(rule.practice());

        assertThat(finding.severity()).as(finding.toString()).isLessThan(rule.severity());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void followsAnotherThreshold(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(
                rule.window(), with -> with.threshold(rule.threshold(), rule.edge() * (rule.isMin() ? 0.25 : 4)));
        rule.run(traffic, rule.beyond());

        assertThat(traffic.severity(rule.practice())).isLessThan(rule.severity());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void takesEnoughSamples(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(rule.window(), with -> with.minSamples(10_000_000));
        rule.run(traffic, rule.beyond());

        if (!OF_FEW.contains(rule.practice())) {
            assertThat(traffic.severity(rule.practice())).isEqualTo(Severity.NOT_ENOUGH_DATA);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void doesNotFlapBelowItsThreshold(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(rule.window());
        rule.run(traffic, rule.beyond());
        assertThat(traffic.severity(rule.practice())).isEqualTo(rule.severity());
        traffic.pass(rule.window());
        rule.run(traffic, 0.95);

        Finding kept = traffic.finding(rule.practice());

        assertThat(kept.severity()).as(kept.toString()).isEqualTo(rule.severity());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void goesAwayWithinOneWindow(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(rule.window());
        rule.run(traffic, rule.beyond());
        assertThat(traffic.severity(rule.practice())).isEqualTo(rule.severity());
        long mend = traffic.millis();
        rule.run(traffic, 0.5);
        traffic.until(mend + rule.window().toMillis() * 11 / 10);

        if (rule.practice() != Practice.B5) {
            Finding mended = traffic.finding(rule.practice());
            assertThat(mended.severity()).as(mended.toString()).isLessThan(rule.severity());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void showsNoKey(RuleCase rule) {
        FakeTraffic traffic = new FakeTraffic(rule.window());
        rule.run(traffic, rule.beyond());

        assertThat(traffic.advisor.report().rows()).allSatisfy(row -> assertThat(row.toString())
                .doesNotContain("key-hot", "model.bin", "disk.vhd", "x000", "q1"));
    }

    @Test
    void coversEachThresholdOfTraffic() {
        Set<Threshold> seen = EnumSet.noneOf(Threshold.class);
        RuleCases.all().forEach(rule -> seen.add(rule.threshold()));

        assertThat(EnumSet.complementOf(EnumSet.copyOf(seen)))
                .as("thresholds of clients and of single events, which ClientRulesTest has")
                .containsExactlyInAnyOrder(
                        Threshold.CLIENTS_BUILT,
                        Threshold.JAVA_VERSION,
                        Threshold.SERVICE_VERSION,
                        Threshold.CLOCK_SKEW,
                        Threshold.POISON);
    }

    @Test
    void anIdleWindowHasNoOpenFinding() {
        FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(5));

        assertThat(traffic.advisor.report().rows()).hasSize(54);
        assertThat(traffic.advisor.report().findings()).isEmpty();
        assertThat(traffic.advisor.report().worst()).isEqualTo(Severity.OK);
    }
}
