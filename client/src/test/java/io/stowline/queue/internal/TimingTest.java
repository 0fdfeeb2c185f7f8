package io.stowline.queue.internal;

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

class TimingTest {

    private static final Duration WEEK = Duration.ofDays(7);

    @Property
    @Label("a fraction of a second is rounded up, never down")
    void roundsUp(@ForAll @LongRange(min = 1, max = 7L * 86_400 * 1_000_000_000) long nanos) {
        Duration asked = Duration.ofNanos(nanos);

        assertThat(Timing.receiveLease(asked))
                .isBetween(asked, asked.plusSeconds(1).minusNanos(1));
        assertThat(Timing.receiveLease(asked).toNanos() % 1_000_000_000).isZero();
        assertThat(Timing.updateLease(asked)).isEqualTo(Timing.receiveLease(asked));
        assertThat(Timing.delay(asked)).isEqualTo(Timing.receiveLease(asked));
        assertThat(Timing.timeToLive(asked)).isEqualTo(Timing.receiveLease(asked));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.001S", "PT-1S", "P7DT0.001S", "PT2562047788015215H"})
    void refusesOtherLeasesOfAReceive(String lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.receiveLease(Duration.parse(lease)))
                .withMessage("lease is 1 s to 604800 s, not " + Duration.parse(lease));
    }

    @Test
    void anUpdateAndADelayMayBeZero() {
        assertThat(Timing.updateLease(Duration.ZERO)).isZero();
        assertThat(Timing.updateLease(WEEK)).isEqualTo(WEEK);
        assertThat(Timing.delay(Duration.ZERO)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.updateLease(WEEK.plusNanos(1)))
                .withMessage("lease is 0 s to 604800 s, not PT168H0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.delay(Duration.ofSeconds(-1)))
                .withMessage("delay is 0 s to 604800 s, not PT-1S");
    }

    @Test
    void aMessageIsKeptForASecondAtLeast() {
        assertThat(Timing.timeToLive(Duration.ofDays(10_000))).isEqualTo(Duration.ofDays(10_000));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.timeToLive(Duration.ZERO))
                .withMessage("timeToLive is 1 s to 2147483647 s, not PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> Timing.timeToLive(Duration.ofSeconds(1L << 31)));
    }

    @Test
    void aDelayIsLessThanTheTimeToLive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.delayWithin(Duration.ofSeconds(5), Duration.ofSeconds(5)))
                .withMessage("delay is PT5S and must be less than timeToLive, which is PT5S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.delayWithin(WEEK, null))
                .withMessage("delay is PT168H and must be less than timeToLive, which is PT168H by default");
        assertThatNoException().isThrownBy(() -> {
            Timing.delayWithin(WEEK, Timing.NEVER);
            Timing.delayWithin(null, Duration.ofSeconds(1));
            Timing.delayWithin(Duration.ofSeconds(4), Duration.ofSeconds(5));
        });
    }
}
