package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.AttemptReason;
import io.stowline.observe.ClientInfo;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.ServiceState;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@DisplayName("rules of clients and of single events judge what runs")
class ClientRulesTest {

    private final FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(5));

    private void openAll(ClientInfo info) {
        Stream.of("table", "queue", "blob").forEach(service -> traffic.open(service, info, Duration.ZERO));
    }

    private void load() {
        traffic.run(10, 20, i -> traffic.add(FakeAttempt.insert("p" + i, "r")));
    }

    @ParameterizedTest
    @EnumSource(
            value = Practice.class,
            names = {"A10", "A11", "A14", "T3", "Q2"})
    void withoutAClientThereIsNoJudgement(Practice practice) {
        assertThat(traffic.severity(practice)).isEqualTo(Severity.NOT_APPLICABLE);
    }

    @Test
    void aClosedClientIsNotTakenForOneOfTheSdk() {
        ServiceState opened = traffic.open("table", FakeTraffic.info(), Duration.ZERO);
        load();
        traffic.advisor.listener().onServiceClosed(opened);

        assertThat(traffic.finding(Practice.A10).problem()).startsWith("No Stowline client is open: closed ones");
    }

    @Test
    void twoProblemsOfEqualGravityAreBothNamed() {
        traffic.run(60, 2, i -> {
            traffic.page("table-scan", "age ge ?", 1, 1_000, true, 2, 2, 100);
            traffic.page("point", "PartitionKey eq ? and RowKey eq ?", 1, 1, false, 2, 2, 100);
        });

        assertThat(traffic.finding(Practice.T7).problem())
                .contains("scan whole tables.")
                .endsWith("which a find does with one cheaper request.");
    }

    @ParameterizedTest
    @EnumSource(
            value = Practice.class,
            names = {"A10", "A11", "A12", "A14", "A15", "T3", "Q2"})
    void aDefaultClientObeys(Practice practice) {
        openAll(FakeTraffic.info());
        load();

        Finding finding = traffic.finding(practice);

        assertThat(finding.severity()).as(finding.toString()).isEqualTo(Severity.OK);
        assertThat(finding.evidence()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Practice.class,
            names = {"T3", "Q2"})
    void nagleIsReadFromTheSockets(Practice practice) {
        openAll(FakeTraffic.info(RetrySettings.defaults(), "2022-11-02", 64, false));

        assertThat(traffic.severity(practice)).isEqualTo(Severity.WARNING);
    }

    @Test
    void aSmallPoolIsAWarning() {
        openAll(FakeTraffic.info(RetrySettings.defaults(), "2022-11-02", 63, true));

        assertThat(traffic.severity(Practice.A10)).isEqualTo(Severity.WARNING);
    }

    @Test
    void manyClientsAreAnAdviceForAnHour() {
        for (int i = 0; i < 10; i++) {
            ServiceState state = traffic.open("table", FakeTraffic.info(), Duration.ZERO);
            traffic.advisor.listener().onServiceClosed(state);
        }
        traffic.open("queue", FakeTraffic.info(), Duration.ZERO);
        assertThat(traffic.severity(Practice.A10)).isEqualTo(Severity.OK);
        traffic.open("table", FakeTraffic.info(), Duration.ZERO);
        assertThat(traffic.severity(Practice.A10)).isEqualTo(Severity.ADVICE);
        traffic.pass(Duration.ofMinutes(61));

        assertThat(traffic.severity(Practice.A10)).isEqualTo(Severity.OK);
    }

    @Test
    void anOldServiceVersionIsAnAdvice() {
        assertThat(Threshold.SERVICE_VERSION.value()).isEqualTo(2020);
        openAll(FakeTraffic.info(RetrySettings.defaults(), "2020-12-06", 64, true));
        assertThat(traffic.severity(Practice.A14)).isEqualTo(Severity.OK);
        openAll(FakeTraffic.info(RetrySettings.defaults(), "2019-12-12", 64, true));

        assertThat(traffic.severity(Practice.A14)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void anOldRuntimeIsAnAdvice() {
        int present = Runtime.version().feature();
        FakeTraffic stricter =
                new FakeTraffic(Duration.ofMinutes(5), with -> with.threshold(Threshold.JAVA_VERSION, present + 1));

        assertThat(Threshold.JAVA_VERSION.value()).isEqualTo(17);
        assertThat(traffic.severity(Practice.A12)).isEqualTo(Severity.OK);
        assertThat(stricter.severity(Practice.A12)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void noBackOffAndAFixedOneAreAnAdvice() {
        for (Backoff backoff : new Backoff[] {Backoff.none(), Backoff.fixed(Duration.ofSeconds(1))}) {
            FakeTraffic other = new FakeTraffic(Duration.ofMinutes(5));
            RetrySettings retry = RetrySettings.builder().backoff(backoff).build();
            other.open("table", FakeTraffic.info(retry, "2022-11-02", 64, true), Duration.ZERO);
            other.run(10, 20, i -> other.add(FakeAttempt.insert("p" + i, "r")));

            assertThat(other.severity(Practice.A15)).as(backoff.toString()).isEqualTo(Severity.ADVICE);
        }
    }

    @Test
    void aWrongClockIsAWarning() {
        load();
        ServiceState right = traffic.open("table", FakeTraffic.info(), Duration.ofSeconds(-60));
        assertThat(traffic.severity(Practice.A16)).isEqualTo(Severity.OK);
        traffic.advisor.listener().onServiceClosed(right);
        traffic.open("table", FakeTraffic.info(), Duration.ofSeconds(-61));

        assertThat(traffic.severity(Practice.A16)).isEqualTo(Severity.WARNING);
        assertThat(Threshold.CLOCK_SKEW.value()).isEqualTo(60);
    }

    @Test
    void resultsOfConditionsAreNotRefused() {
        int[] statuses = {304, 404, 409, 412};
        traffic.run(
                10,
                20,
                i -> traffic.add(
                        FakeAttempt.insert("p" + i, "r").ending(AttemptReason.REFUSED, statuses[i % 4], "Conflict")));

        assertThat(traffic.severity(Practice.A16)).isEqualTo(Severity.OK);
    }

    @Test
    void fullMetadataIsAnAdvice() {
        traffic.add(FakeAttempt.find("p", "r", "e").accepting("application/json;odata=nometadata"));
        assertThat(traffic.severity(Practice.T2)).isEqualTo(Severity.OK);
        traffic.add(FakeAttempt.find("p", "r", "e").accepting("application/json;odata=fullmetadata"));

        assertThat(traffic.severity(Practice.T2)).isEqualTo(Severity.ADVICE);
    }

    @Test
    void aPoisonousMessageIsAWarning() {
        traffic.delivery(ConsumerEvent.Result.COMPLETED);
        assertThat(traffic.severity(Practice.Q7)).isEqualTo(Severity.OK);
        traffic.delivery(ConsumerEvent.Result.POISONED);

        assertThat(traffic.severity(Practice.Q7)).isEqualTo(Severity.WARNING);
        assertThat(Threshold.POISON.value()).isZero();
        traffic.pass(Duration.ofMinutes(6));
        assertThat(traffic.severity(Practice.Q7)).isEqualTo(Severity.NOT_ENOUGH_DATA);
    }

    @Test
    void anEntityThatIsTooLargeIsAnError() {
        traffic.add(FakeAttempt.insert("p", "r").ending(AttemptReason.REFUSED, 400, "EntityTooLarge"));

        assertThat(traffic.severity(Practice.T20)).isEqualTo(Severity.ERROR);
    }

    @Test
    void continuationsAreFollowed() {
        assertThat(traffic.severity(Practice.T16)).isEqualTo(Severity.NOT_ENOUGH_DATA);
        traffic.page("partition", "", 0, 1_000, true, 0, 0, 0);

        assertThat(traffic.severity(Practice.T16)).isEqualTo(Severity.OK);
    }

    @ParameterizedTest
    @EnumSource(
            value = Practice.class,
            names = {"A6", "A7", "B6", "B9", "T4", "T9", "T14", "T15", "T19"})
    void practicesOfGuidesSayWhyTheyAreNotJudged(Practice practice) {
        Finding finding = traffic.finding(practice);

        assertThat(practice.kind()).isEqualTo(Practice.Kind.GUIDE);
        assertThat(finding.severity()).isEqualTo(Severity.NOT_APPLICABLE);
        assertThat(finding.problem()).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource(
            value = Practice.class,
            mode = Mode.EXCLUDE,
            names = {})
    void eachPracticeHasItsTexts(Practice practice) {
        Finding finding = traffic.finding(practice);

        assertThat(finding.mend()).isNotBlank();
        assertThat(finding.limits()).isNotBlank();
        assertThat(finding.link().toString()).contains("/docs/");
    }
}
