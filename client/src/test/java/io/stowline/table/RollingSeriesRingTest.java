package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.table.RollingSeries.Ring;
import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RollingSeriesRingTest {

    @Property
    @Label("T14: slots follow one another around the ring, and a place is used again after the span")
    void slotsFollowOneAnother(
            @ForAll @IntRange(min = 1, max = 3_000) int minutes,
            @ForAll @IntRange(min = 3, max = 126) int slots,
            @ForAll @LongRange(min = -10_000_000_000L, max = 250_000_000_000L) long second) {
        Ring ring = new Ring(Duration.ofMinutes(minutes), slots);
        Instant at = Instant.ofEpochSecond(second, 999_999_999);
        Instant start = ring.start(at);

        assertThat(start).isBeforeOrEqualTo(at).isAfter(at.minus(ring.slotLength()));
        assertThat(ring.start(start)).isEqualTo(start);
        assertThat(ring.slot(start)).isEqualTo(ring.slot(at)).isBetween(0, slots - 1);
        assertThat(ring.slot(start.plus(ring.slotLength()))).isEqualTo((ring.slot(at) + 1) % slots);
        assertThat(ring.slot(start.plus(ring.span()))).isEqualTo(ring.slot(at));
    }

    @Test
    void hoursAndDaysAreThoseOfUtc() {
        Instant at = Instant.parse("2026-03-29T01:59:59.9999999Z"); // when clocks go forward in Europe

        assertThat(Ring.hours(24).start(at)).isEqualTo("2026-03-29T01:00:00Z");
        assertThat(Ring.hours(24).slot(at)).isEqualTo(1);
        assertThat(Ring.days(31).start(at)).isEqualTo("2026-03-29T00:00:00Z");
        assertThat(Ring.minutes(60).slot(at)).isEqualTo(59);
        assertThat(Ring.hours(24).rowKey()).isEqualTo("PT1H-24");
        assertThat(Ring.hours(24).span()).isEqualTo(Duration.ofDays(1));
    }

    @ParameterizedTest
    @CsvSource({
        "PT1H, 2, 3 and 126",
        "PT1H, 127, two of the 252 properties",
        "PT59S, 3, whole minutes",
        "PT90S, 3, whole minutes",
        "PT1M0.5S, 3, whole minutes",
        "PT0S, 3, whole minutes",
        "P1001D, 3, 'up to 1,000 days'",
    })
    void refusesRingsThatHaveNoPlace(Duration slotLength, int slots, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Ring(slotLength, slots))
                .withMessageContaining(message);
    }

    @Test
    void refusesYearsThatHaveNoPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ring.hours(24).start(Instant.MAX))
                .withMessageContaining("1601 to 9999");
    }
}
