package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AttemptTest {

    private final ManualTimer timer = new ManualTimer();

    @Test
    @DisplayName("RETRY-5: with time enough the client waits 5 s longer than the server")
    void clientWaitsLongerThanTheServer() {
        Attempt attempt = attempt(RetrySettings.defaults(), Duration.ofMinutes(2));

        assertThat(attempt.number()).isEqualTo(1);
        assertThat(attempt.serverTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(attempt.clientTimeout()).isEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("RETRY-5: a shortened attempt ends on both sides")
    void shortenedAttemptEndsOnBothSides() {
        Attempt attempt = attempt(RetrySettings.defaults().withoutReserve(), Duration.ofMillis(20_700));

        assertThat(attempt.serverTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(attempt.clientTimeout()).isEqualTo(Duration.ofMillis(20_700));
    }

    @Test
    @DisplayName("RETRY-5: the server is given at least a second")
    void serverHasAtLeastASecond() {
        Attempt attempt = attempt(RetrySettings.defaults().withoutReserve(), Duration.ofMillis(3_300));

        assertThat(attempt.serverTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(attempt.clientTimeout()).isEqualTo(Duration.ofMillis(3_300));
    }

    @Test
    @DisplayName("RETRY-5: a shorter attempt timeout shortens both sides too")
    void attemptTimeoutShortensBothSides() {
        RetrySettings settings = RetrySettings.builder()
                .attemptTimeout(Duration.ofSeconds(12))
                .build()
                .withoutReserve();

        assertThat(attempt(settings, Duration.ofMinutes(2)).clientTimeout()).isEqualTo(Duration.ofSeconds(12));
        assertThat(attempt(settings, Duration.ofMinutes(2)).serverTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(attempt(settings, Duration.ofSeconds(9)).clientTimeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(attempt(settings, Duration.ofSeconds(9)).serverTimeout()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @DisplayName("RETRY-5: a longer attempt timeout leaves the server's time as it is")
    void longerAttemptTimeout() {
        RetrySettings settings =
                RetrySettings.builder().attemptTimeout(Duration.ofMinutes(1)).build();

        assertThat(attempt(settings, Duration.ofMinutes(2)).clientTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(attempt(settings, Duration.ofMinutes(2)).serverTimeout()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("RETRY-5: the reserve for a read-back is not the attempt's")
    void reserveIsKept() {
        RetrySettings settings =
                RetrySettings.builder().reserve(Duration.ofSeconds(10)).build();

        assertThat(attempt(settings, Duration.ofSeconds(30)).clientTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(attempt(settings, Duration.ofSeconds(30)).serverTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(attempt(settings, Duration.ofSeconds(30)).startBy().remaining())
                .isEqualTo(Duration.ofSeconds(19));
        assertThat(attempt(settings, Duration.ofSeconds(9)).clientTimeout()).isZero();
    }

    @Test
    @DisplayName("RETRY-5: after a wait for a permit the times reflect what is left")
    void timesAreComputedWhenRequested() {
        Attempt attempt = attempt(RetrySettings.defaults().withoutReserve(), Duration.ofSeconds(40));

        timer.advance(Duration.ofSeconds(20));

        assertThat(attempt.clientTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(attempt.serverTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(attempt.startBy().remaining()).isEqualTo(Duration.ofSeconds(19));
        assertThat(attempt).hasToString("Attempt[1, Deadline[in PT20S]]");
        timer.advance(Duration.ofSeconds(20));
        assertThat(attempt.clientTimeout()).isZero();
        assertThat(attempt.serverTimeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void firstAttemptHasNoPast() {
        Attempt attempt = attempt(RetrySettings.defaults().withoutReserve(), Duration.ofSeconds(40));

        assertThat(attempt.previousAmbiguous()).isFalse();
        assertThat(attempt.log().attempts()).isEmpty();
        assertThat(attempt.deadline().remaining()).isEqualTo(Duration.ofSeconds(40));
    }

    @Property
    @Label("RETRY-5: neither side is given more than there is, and the client outlasts the server where there is room")
    void timesFitWhatIsLeft(
            @ForAll @LongRange(min = 1, max = 200_000) long left,
            @ForAll @LongRange(max = 20_000) long reserve,
            @ForAll @LongRange(min = 1_000, max = 60_000) long server,
            @ForAll @LongRange(max = 20_000) long grace,
            @ForAll @LongRange(min = 1, max = 100_000) long max) {
        RetrySettings settings = RetrySettings.builder()
                .reserve(Duration.ofMillis(reserve))
                .serverTimeout(Duration.ofMillis(server))
                .grace(Duration.ofMillis(grace))
                .attemptTimeout(Duration.ofMillis(max))
                .build();
        Attempt attempt = attempt(settings, Duration.ofMillis(left));

        long room = Math.min(max, Math.max(0, left - reserve));
        long clientMillis = attempt.clientTimeout().toMillis();
        long serverMillis = attempt.serverTimeout().toMillis();

        assertThat(clientMillis).isEqualTo(room);
        assertThat(serverMillis % 1_000).isZero();
        assertThat(serverMillis).isBetween(1_000L, Math.max(1_000L, server));
        if (room >= 1_000 + grace) {
            assertThat(clientMillis).isGreaterThanOrEqualTo(serverMillis + grace);
            assertThat(serverMillis).isGreaterThan(Math.min(server, room - grace) - 1_000);
        }
    }

    private Attempt attempt(RetrySettings settings, Duration left) {
        return Attempt.first(settings, Deadline.in(left, timer));
    }
}
