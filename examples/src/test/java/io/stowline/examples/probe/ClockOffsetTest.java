package io.stowline.examples.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockOffsetTest {

    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @ParameterizedTest
    @ValueSource(longs = {0, 3, 700, -700, 4_250, -61_000, 1_200_000})
    @DisplayName("writes for a little more than a second bound the difference by the time of a call")
    void boundsTheDifference(long millis) throws Exception {
        SimulatedLink link = new SimulatedLink();
        link.ahead = Duration.ofMillis(millis);

        ClockOffset offset = new ProbeRun(link, new ProbeOptions(1, 1, 5, null), link::read, link, () -> false, NOWHERE)
                .run()
                .clock();

        assertThat(link.ahead).isBetween(offset.low(), offset.high());
        assertThat(offset.high().minus(offset.low())).isLessThanOrEqualTo(link.trip.multipliedBy(2));
    }

    @Test
    void oneWriteBoundsItByASecondAndTheCall() {
        Instant sent = Instant.parse("2026-11-28T14:00:00.400Z");

        ClockOffset offset = ClockOffset.UNKNOWN.and(sent, sent.minusMillis(400), sent.plusMillis(20));

        assertThat(offset).isEqualTo(new ClockOffset(Duration.ofMillis(-420), Duration.ofMillis(600)));
        assertThat(offset.sentence())
                .isEqualTo("The service's clock is 0.42 s behind to 0.60 s ahead of this machine's.");
    }

    @Test
    void bothBoundsOnOneSideNameItOnce() {
        assertThat(new ClockOffset(Duration.ofMillis(4_240), Duration.ofMillis(4_260)).sentence())
                .isEqualTo("The service's clock is 4.24 to 4.26 s ahead of this machine's.");
        assertThat(new ClockOffset(Duration.ofMillis(-4_260), Duration.ofMillis(-4_240)).sentence())
                .isEqualTo("The service's clock is 4.24 to 4.26 s behind this machine's.");
    }

    @Test
    @DisplayName("beyond 15 minutes signatures are refused, which the sentence names")
    void refusedSignatures() {
        assertThat(new ClockOffset(Duration.ofMinutes(20), Duration.ofMinutes(21)).sentence())
                .contains("refuses signatures");
        assertThat(new ClockOffset(Duration.ofMinutes(-21), Duration.ofMinutes(-20)).sentence())
                .contains("refuses signatures");
        assertThat(new ClockOffset(Duration.ofMinutes(14), Duration.ofMinutes(16)).sentence())
                .doesNotContain("refuses signatures");
    }

    @Test
    void noTimeIsNoDifference() {
        assertThat(ClockOffset.UNKNOWN.sentence()).isEqualTo("The clocks: the service did not show its time.");
    }

    @Test
    void aClockThatMovedIsNamed() {
        assertThat(new ClockOffset(Duration.ofSeconds(2), Duration.ofSeconds(1)).sentence())
                .contains("one of them moved");
    }
}
