package io.stowline.queue.internal.consumer.polling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PollPacerTest {

    private final PollPacer pacer = new PollPacer(Duration.ofMillis(100), Duration.ofMillis(9_500), new Random(7));

    @Test
    @DisplayName("QUEUE-4: waits double from 100 ms to the limit, with a fifth of them random, at the limit too")
    void doubles() {
        double expected = 100;
        for (int i = 0; i < 100; i++) {
            assertThat(pacer.afterEmpty()).isBetween(millis(expected * 0.8), millis(expected));
            expected = Math.min(9_500, expected * 2);
        }
        assertThat(pacer.afterEmpty()).isNotEqualTo(pacer.afterEmpty());
        pacer.reset();
        assertThat(pacer.afterEmpty()).isBetween(millis(80), millis(100));
    }

    @Test
    @DisplayName("QUEUE-4: waits after failures double from 1 s")
    void doublesAfterFailures() {
        assertDoublesAfterFailures(pacer);
    }

    @Test
    @DisplayName("QUEUE-4: short waits for messages do not shorten those after failures, and longer ones lengthen them")
    void otherDelays() {
        assertDoublesAfterFailures(new PollPacer(Duration.ofMillis(10), Duration.ofMillis(100), new Random(7)));
        PollPacer patient = new PollPacer(Duration.ofMinutes(1), Duration.ofMinutes(10), new Random(7));
        assertThat(patient.afterFailure()).isBetween(millis(48_000), millis(60_000));
        for (int i = 0; i < 50; i++) {
            patient.afterFailure();
        }
        assertThat(patient.afterFailure()).isBetween(millis(480_000), millis(600_000));
    }

    private static void assertDoublesAfterFailures(PollPacer pacer) {
        assertThat(pacer.afterFailure()).isBetween(millis(1_000), millis(1_250));
        assertThat(pacer.afterFailure()).isBetween(millis(2_000), millis(2_500));
        for (int i = 0; i < 50; i++) {
            pacer.afterFailure();
        }
        assertThat(pacer.afterFailure()).isBetween(millis(8_000), millis(10_000));
    }

    private static Duration millis(double millis) {
        return Duration.ofNanos((long) (millis * 1e6));
    }
}
