package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerClockTest {

    private static final Instant LOCAL = Instant.parse("2024-02-29T12:00:00Z");

    private final ServerClock clock = new ServerClock(Clock.fixed(LOCAL, ZoneOffset.UTC));

    @Test
    void isTheMachinesClockAtFirst() {
        assertThat(clock.now()).isEqualTo(LOCAL);
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: up to 15 minutes the clock does not explain a refused signature")
    @ValueSource(longs = {0, 1, 899, 900, -900})
    void toleratesFifteenMinutes(long seconds) {
        assertThat(clock.learn(LOCAL, LOCAL.plusSeconds(seconds))).isNull();
        assertThat(clock.now()).isEqualTo(LOCAL);
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: beyond 15 minutes it is corrected, in both directions")
    @CsvSource({"901", "1200", "-901", "-86400"})
    void correctsWhatIsFurtherOff(long seconds) {
        assertThat(clock.learn(LOCAL, LOCAL.plusSeconds(seconds))).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(clock.now()).isEqualTo(LOCAL.plusSeconds(seconds));
    }

    @Test
    @DisplayName("RETRY-3: once corrected, a request signed with the right time gains nothing by another correction")
    void isCorrectedOnce() {
        Instant right = LOCAL.plusSeconds(1_200);
        clock.learn(LOCAL, right);

        assertThat(clock.learn(clock.now(), right.plusSeconds(1))).isNull();
        assertThat(clock.now()).isEqualTo(right);
    }

    @Test
    @DisplayName("RETRY-3: a request that was signed before the correction is still explained by it")
    void explainsAllThatWereSignedWrongly() {
        Instant right = LOCAL.plusSeconds(1_200);
        clock.learn(LOCAL, right);

        assertThat(clock.learn(LOCAL, right)).isEqualTo(Duration.ofMinutes(20));
    }

    @Test
    void learnsNothingWithoutADate() {
        assertThat(clock.learn(LOCAL, null)).isNull();
    }
}
