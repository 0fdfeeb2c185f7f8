package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.observe.AttemptReason;
import java.time.Duration;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("one thread that writes entity after entity to one partition, which answers slowly")
class SlowWritesTest {

    /** A service that is 15 ms away, whose inserts take 29. */
    private static final double PER_SECOND = 1_000.0 / 29;

    private final FakeTraffic traffic = new FakeTraffic(Duration.ofMinutes(1));

    private static FakeAttempt write(String partition, int i) {
        return FakeAttempt.insert(partition, "r" + i).taking(29);
    }

    private static FakeAttempt refused(int i) {
        return write("orders", i).ending(AttemptReason.THROTTLED_ACCOUNT, 503, "ServerBusy");
    }

    private void run(double seconds, IntFunction<FakeAttempt> attempt) {
        traffic.align();
        traffic.run(seconds, PER_SECOND, i -> traffic.add(attempt.apply(i)));
    }

    @Test
    void isAdvisedToShareTransactions() {
        run(20, i -> write("orders", i));

        Finding finding = traffic.finding(Practice.T12);
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.problem())
                .contains("Single writes within a second of one another to one partition: 689 of them, 29.0 ms each")
                .contains("a transaction of 100 takes about the time of one");
        assertThat(finding.objects()).singleElement().asString().endsWith("of runners: 689 entities one by one");
        assertThat(finding.evidence())
                .anySatisfy(figure -> {
                    assertThat(figure.name()).isEqualTo("99 of 100 single writes ended within");
                    assertThat(figure.value()).isBetween(26.0, 33.0);
                })
                .anySatisfy(figure -> {
                    assertThat(figure.threshold()).isEqualTo(20);
                    assertThat(figure.value()).isBetween(98.0, 102.0);
                });
        assertThat(traffic.severity(Practice.T21)).isEqualTo(Severity.ADVICE);
    }

    @Test
    @DisplayName(
            "also while the service refuses one attempt of twenty: the partition is the gravest finding, and not the account")
    void throttledHasItsPartitionFirst() {
        run(20, i -> i % 20 == 19 ? refused(i) : write("orders", i));

        assertThat(traffic.advisor.report().findings())
                .extracting(Finding::practice)
                .startsWith(Practice.T6)
                .contains(Practice.T12, Practice.T21)
                .doesNotContain(Practice.A1, Practice.T1);
        assertThat(traffic.finding(Practice.T6).problem()).contains("100 % of the refusals hit one partition");
        assertThat(traffic.severity(Practice.A1)).isEqualTo(Severity.OK);
    }

    @Test
    void refusalsOfSeveralPartitionsAreThoseOfTheAccount() {
        run(
                20,
                i -> i % 20 == 19
                        ? write("p" + i, i).ending(AttemptReason.THROTTLED_ACCOUNT, 503, "ServerBusy")
                        : write("p" + i, i));

        assertThat(traffic.severity(Practice.A1)).isEqualTo(Severity.WARNING);
        assertThat(traffic.severity(Practice.T1)).isEqualTo(Severity.WARNING);
        assertThat(traffic.severity(Practice.T6)).isLessThan(Severity.WARNING);
    }

    @Test
    void refusalsOfFourBusyPartitionsAreThoseOfTheAccount() {
        run(
                50,
                i -> i % 83 == 82
                        ? write("p" + i % 4, i).ending(AttemptReason.THROTTLED_ACCOUNT, 503, "ServerBusy")
                        : write("p" + i % 4, i));

        assertThat(traffic.severity(Practice.A1)).isEqualTo(Severity.WARNING);
        assertThat(traffic.severity(Practice.T6)).isLessThan(Severity.WARNING);
    }

    @Test
    @DisplayName("refusals of other partitions remain those of the account beside those of the busiest")
    void othersRemain() {
        run(
                20,
                i -> i % 20 == 19
                        ? refused(i)
                        : i % 40 == 18
                                ? write("p" + i, i).ending(AttemptReason.THROTTLED_ACCOUNT, 503, "ServerBusy")
                                : write("orders", i));

        assertThat(traffic.severity(Practice.T6)).isEqualTo(Severity.WARNING);
        assertThat(traffic.severity(Practice.A1)).isEqualTo(Severity.WARNING);
    }

    @Test
    @DisplayName("few refusals at one partition, which T6 does not report, remain those of the account")
    void fewRefusalsAreNotLost() {
        run(50, i -> i % 200 == 199 ? refused(i) : write("orders", i));

        assertThat(traffic.severity(Practice.T6)).isLessThan(Severity.WARNING);
        assertThat(traffic.severity(Practice.A1)).isEqualTo(Severity.ADVICE);
        assertThat(traffic.severity(Practice.T1)).isEqualTo(Severity.ADVICE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 6})
    void fewWritesAreObeyed(int perSecond) {
        traffic.align();
        traffic.run(50, perSecond, i -> traffic.add(write("orders", i)));

        assertThat(traffic.finding(Practice.T12).isOpen()).isFalse();
        assertThat(traffic.finding(Practice.T21).isOpen()).isFalse();
    }

    @Test
    void aShortLoopIsObeyed() {
        run(1, i -> write("orders", i));

        assertThat(traffic.advisor.report().findings()).isEmpty();
    }

    @Test
    void writesThatSpreadOverPartitionsAreObeyed() {
        run(20, i -> write("p" + i % 100, i));

        assertThat(traffic.advisor.report().findings()).isEmpty();
    }

    @Test
    void repeatedWritesOfOneEntityAreObeyed() {
        run(20, i -> write("orders", 7));

        assertThat(traffic.severity(Practice.T12)).isEqualTo(Severity.OK);
        assertThat(traffic.severity(Practice.T21)).isEqualTo(Severity.OK);
    }

    @Test
    @DisplayName(
            "the single writes of a writer's idle lanes, which send the rest of each burst as a transaction, are obeyed")
    void firstWritesOfBurstsAreObeyed() {
        traffic.align();
        traffic.run(20, 40, i -> {
            String partition = "p" + i % 20;
            traffic.add(write(partition, i));
            traffic.add(FakeAttempt.transaction(partition, 19).taking(29));
        });

        assertThat(traffic.severity(Practice.T12)).isEqualTo(Severity.OK);
    }

    @Test
    @DisplayName("four of five requests are single writes, and most entities travel in transactions: obeyed")
    void mostEntitiesInTransactionsAreObeyed() {
        run(20, i -> i % 5 == 4 ? FakeAttempt.transaction("orders", 40).taking(29) : write("orders", i));

        assertThat(traffic.severity(Practice.T12)).isEqualTo(Severity.OK);
    }

    @Test
    @DisplayName("transactions of other partitions do not hide a partition that is written one by one")
    void transactionsElsewhereHideNothing() {
        traffic.align();
        traffic.run(20, PER_SECOND, i -> {
            traffic.add(write("orders", i));
            traffic.add(FakeAttempt.transaction("p" + i % 300, 100));
        });

        Finding finding = traffic.finding(Practice.T12);
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.objects()).singleElement().asString().endsWith("entities one by one");
    }

    @Test
    @DisplayName("forty partitions that take a twelfth of a thread each are obeyed, though they take three together")
    void theTimeIsThatOfOnePartition() {
        traffic.align();
        traffic.run(50, 80, i -> traffic.add(write("p" + i % 40, i).taking(40)));

        assertThat(traffic.severity(Practice.T12)).isEqualTo(Severity.OK);
    }

    @Test
    @DisplayName("the sentence counts the writes of the slowest partition, and names a writer's linger first")
    void theSentenceCountsOnePartition() {
        traffic.align();
        traffic.run(20, 90, i -> traffic.add(write("p" + i % 9, i)));

        Finding finding = traffic.finding(Practice.T12);
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.problem()).contains("199 of them, 29.0 ms each");
        assertThat(finding.objects()).hasSize(3).allSatisfy(one -> assertThat(one)
                .contains("199 entities one by one"));
        assertThat(finding.mend()).startsWith("Raise the linger of the writer");
    }

    @Test
    void transactionsAreObeyed() {
        run(20, i -> FakeAttempt.transaction("p" + i % 4, 60).taking(29));

        assertThat(traffic.severity(Practice.T12)).isEqualTo(Severity.OK);
        assertThat(traffic.severity(Practice.T21)).isEqualTo(Severity.OK);
    }
}
