package io.stowline.transport.internal.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.Evidence;
import io.stowline.queue.internal.SleepyClock;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.concurrent.UnresolvedReports;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;

class UnresolvedAttemptsTest {

    private static final Instant DATE = Instant.parse("2024-02-29T12:00:10Z");

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();

    private UnresolvedAttempts unresolved(int unanswered, int firstSent, int horizon) {
        Deadline deadline = Deadline.in(Duration.ofMinutes(2), timer);
        return new UnresolvedAttempts(
                timer,
                deadline,
                unanswered,
                Stopwatch.start(timer).startedEarlier(Duration.ofSeconds(-firstSent)),
                TimeUnit.SECONDS.toNanos(horizon));
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-9: what may have taken effect twice, by how it is known, before and after the horizon")
    @CsvSource({
        "0, RESPONSE, 0, false",
        "1, RESPONSE, 0, true",
        "1, RESPONSE, 60, true",
        "1, MARKER, 0, false",
        "2, MARKER, 0, true",
        "2, MARKER, 60, true",
        "1, CONTENT, 0, true",
        "1, CONTENT, 34, true",
        "1, CONTENT, 35, false",
        "2, CONTENT, 60, true"
    })
    void mayRepeat(int unanswered, Evidence evidence, int passed, boolean expected) {
        UnresolvedAttempts unresolved = unresolved(unanswered, 0, 35);
        timer.advanceTimeBy(Duration.ofSeconds(passed));

        assertThat(unresolved.mayRepeat(evidence)).isEqualTo(expected);
    }

    @Test
    @DisplayName("OUTCOME-0: an attempt is over at its horizon and not before")
    void horizon() {
        UnresolvedAttempts unresolved = unresolved(1, 0, 35);
        assertThat(unresolved.timeUntilSettled()).isEqualTo(Duration.ofSeconds(35));

        timer.advanceTimeBy(Duration.ofSeconds(35).minusNanos(1));
        assertThat(unresolved.isOver()).isFalse();
        timer.advanceTimeBy(Duration.ofNanos(1));
        assertThat(unresolved.isOver()).isTrue();
        assertThat(unresolved(0, 0, 99).isOver()).isTrue();
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: something is older than our first attempt only beyond the tolerance, by the service's own"
            + " clock")
    @CsvSource({"7.999, false", "5.001, false", "3.001, false", "3.0, false", "2.999, true", "-100, true"})
    void older(double written, boolean older) {
        // The first attempt is 5 s old and was sent at second 5 of the service's clock, or later.
        UnresolvedAttempts unresolved = unresolved(1, 0, 35);
        timer.advanceTimeBy(Duration.ofSeconds(5));
        Instant stamp = DATE.minusSeconds(10).plusMillis((long) (written * 1000));

        assertThat(unresolved.isYoungerThan(stamp, DATE)).isEqualTo(older);
        assertThat(unresolved.isYoungerThan(stamp, null)).isFalse();
        assertThat(unresolved.isYoungerThan(null, DATE)).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: a first attempt is as old as the clock says that has gone further, asleep or set back")
    void olderAfterSleep() {
        SleepyClock machine = new SleepyClock();
        UnresolvedAttempts unresolved = UnresolvedReports.of(machine, 1);
        Instant before = DATE.minusSeconds(8);
        machine.runs(Duration.ofSeconds(5));
        assertThat(unresolved.isYoungerThan(before, DATE)).isTrue();

        machine.sleeps(Duration.ofSeconds(5));
        assertThat(unresolved.isYoungerThan(before, DATE)).isFalse();
        assertThat(unresolved.timeUntilSettled()).isEqualTo(Duration.ofSeconds(30));
        machine.sleeps(Duration.ofHours(-1));
        assertThat(unresolved.isYoungerThan(before, DATE)).isTrue();
        assertThat(unresolved.isYoungerThan(DATE.minusSeconds(6), DATE)).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: requests of one operation share the earliest beginning and the last horizon")
    void together() {
        UnresolvedAttempts both = unresolved(1, 4, 35).and(unresolved(2, 0, 30));

        assertThat(both.unanswered()).isEqualTo(3);
        assertThat(both.timeUntilSettled()).isEqualTo(Duration.ofSeconds(35));
        assertThat(unresolved(0, 0, 0).and(unresolved(1, 0, 7)).timeUntilSettled())
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(unresolved(1, 0, 7).and(unresolved(0, 0, 0)).any()).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-0: the horizon counts from the last byte: server's time limit and grace after it")
    void horizonOfACall() {
        Bench bench = new Bench();
        bench.wire().breaks(new IOException("reset"));
        Exchange<String> exchange = Bench.call(
                OperationType.WRITE, RetrySettings.builder().retries(0).build());
        bench.start(exchange);

        UnresolvedAttempts unresolved = bench.pipeline().unresolved(exchange);
        assertThat(unresolved.timeUntilSettled()).isEqualTo(Duration.ofSeconds(35));
        assertThat(unresolved.deadline().remaining()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    @DisplayName("OUTCOME-0: an attempt that timed out has used up its horizon as far as it waited after the last byte")
    void horizonAfterATimeout() {
        Bench bench = new Bench();
        bench.wire().staysSilentAfterItsLastByte();
        Exchange<String> exchange = Bench.call(
                OperationType.WRITE, RetrySettings.builder().retries(0).build());
        bench.start(exchange);
        bench.pass(Duration.ofSeconds(35));

        assertThat(bench.pipeline().unresolved(exchange).any()).isTrue();
        assertThat(bench.pipeline().unresolved(exchange).isOver()).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-0: how far the service's clocks may differ is a setting")
    void tolerance() {
        UnresolvedAttempts unresolved = unresolved(1, 0, 35);
        Instant threeSecondsBefore = DATE.minusSeconds(3);

        assertThat(unresolved.isYoungerThan(threeSecondsBefore, DATE)).isTrue();
        assertThat(unresolved.tolerating(Duration.ofSeconds(3)).isYoungerThan(threeSecondsBefore, DATE))
                .isFalse();
        assertThat(unresolved.and(unresolved.tolerating(Duration.ofSeconds(3))).isYoungerThan(threeSecondsBefore, DATE))
                .isTrue();
    }
}
