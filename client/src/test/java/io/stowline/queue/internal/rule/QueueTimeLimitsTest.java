package io.stowline.queue.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueTimeLimitsTest {

    private static final Duration WEEK = Duration.ofDays(7);

    @Property
    @Label("a fraction of a second is rounded up, never down")
    void roundsUp(@ForAll @LongRange(min = 1, max = 7L * 86_400 * 1_000_000_000) long nanos) {
        Duration requested = Duration.ofNanos(nanos);

        assertThat(QueueTimeLimits.receiveLease(requested))
                .isBetween(requested, requested.plusSeconds(1).minusNanos(1));
        assertThat(QueueTimeLimits.receiveLease(requested).toNanos() % 1_000_000_000)
                .isZero();
        assertThat(QueueTimeLimits.updateLease(requested)).isEqualTo(QueueTimeLimits.receiveLease(requested));
        assertThat(QueueTimeLimits.delay(requested)).isEqualTo(QueueTimeLimits.receiveLease(requested));
        assertThat(QueueTimeLimits.timeToLive(requested)).isEqualTo(QueueTimeLimits.receiveLease(requested));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.001S", "PT-1S", "P7DT0.001S", "PT2562047788015215H"})
    void refusesOtherLeasesOfAReceive(String lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueTimeLimits.receiveLease(Duration.parse(lease)))
                .withMessage("lease is 1 s to 604800 s, not " + Duration.parse(lease));
    }

    @Test
    void anUpdateAndADelayMayBeZero() {
        assertThat(QueueTimeLimits.updateLease(Duration.ZERO)).isZero();
        assertThat(QueueTimeLimits.updateLease(WEEK)).isEqualTo(WEEK);
        assertThat(QueueTimeLimits.delay(Duration.ZERO)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueTimeLimits.updateLease(WEEK.plusNanos(1)))
                .withMessage("lease is 0 s to 604800 s, not PT168H0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueTimeLimits.delay(Duration.ofSeconds(-1)))
                .withMessage("delay is 0 s to 604800 s, not PT-1S");
    }

    @Test
    void aMessageIsKeptForASecondAtLeast() {
        assertThat(QueueTimeLimits.timeToLive(Duration.ofDays(10_000))).isEqualTo(Duration.ofDays(10_000));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueTimeLimits.timeToLive(Duration.ZERO))
                .withMessage("timeToLive is 1 s to 2147483647 s, not PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> QueueTimeLimits.timeToLive(Duration.ofSeconds(1L << 31)));
    }

    @Test
    void aDelayIsLessThanTheTimeToLive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueTimeLimits.delayWithin(Duration.ofSeconds(5), Duration.ofSeconds(5)))
                .withMessage("delay is PT5S and must be less than timeToLive, which is PT5S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QueueTimeLimits.delayWithin(WEEK, null))
                .withMessage("delay is PT168H and must be less than timeToLive, which is PT168H by default");
        assertThatNoException().isThrownBy(() -> {
            QueueTimeLimits.delayWithin(WEEK, QueueTimeLimits.NEVER);
            QueueTimeLimits.delayWithin(null, Duration.ofSeconds(1));
            QueueTimeLimits.delayWithin(Duration.ofSeconds(4), Duration.ofSeconds(5));
        });
    }
}
