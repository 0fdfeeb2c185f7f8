package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TimeSeriesLayoutTest {

    private static final Instant FIRST = Instant.parse("1601-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    @Provide
    Arbitrary<Instant> times() {
        return Arbitraries.longs()
                .between(FIRST.getEpochSecond(), LAST.getEpochSecond())
                .flatMap(second ->
                        Arbitraries.longs().between(0, 999_999_999).map(nano -> Instant.ofEpochSecond(second, nano)));
    }

    @Property
    @Label("T14: row and slot of a time give back the start of its slot")
    void rowAndSlotGiveBackTheStart(@ForAll TimeSeries.Layout layout, @ForAll("times") Instant at) {
        Instant start = layout.start(at);

        assertThat(layout.at(layout.rowKey(at), layout.slot(at))).isEqualTo(start);
        assertThat(start).isBeforeOrEqualTo(at);
        assertThat(layout.start(start)).isEqualTo(start);
        assertThat(layout.slot(at)).isBetween(layout.firstSlot(), layout.firstSlot() + layout.slots() - 1);
    }

    @Property
    @Label("T14: row keys sort by time, and all times of a slot are in one row and slot")
    void rowKeysSortByTime(
            @ForAll TimeSeries.Layout layout, @ForAll("times") Instant one, @ForAll("times") Instant other) {
        Instant first = one.isBefore(other) ? one : other;
        Instant second = one.isBefore(other) ? other : one;

        assertThat(layout.rowKey(first)).isLessThanOrEqualTo(layout.rowKey(second));
        assertThat(layout.rowKey(first)).hasSameSizeAs(layout.rowKey(second));
        if (layout.rowKey(first).equals(layout.rowKey(second))) {
            assertThat(layout.slot(first)).isLessThanOrEqualTo(layout.slot(second));
        }
    }

    @Property
    @Label("T14: the next slot is the next number, or the first one of the next row")
    void rollsOverIntoTheNextRow(@ForAll TimeSeries.Layout layout, @ForAll("times") Instant at) {
        Instant start = layout.start(at);
        Instant next = layout.start(start.plus(longest(layout)).isAfter(LAST) ? start : start.plus(longest(layout)));
        if (layout.rowKey(next).equals(layout.rowKey(start))) {
            assertThat(layout.slot(next)).isBetween(layout.slot(start), layout.slot(start) + 1);
        } else {
            assertThat(layout.slot(next)).isEqualTo(layout.firstSlot());
        }
    }

    private static Duration longest(TimeSeries.Layout layout) {
        return switch (layout) {
            case MINUTES_OF_HOUR -> Duration.ofMinutes(1);
            case HOURS_OF_DAY -> Duration.ofHours(1);
            case DAYS_OF_MONTH -> Duration.ofDays(1);
            case MONTHS_OF_YEAR -> Duration.ofDays(31);
        };
    }

    @Test
    void namesPeriodsAsDocumented() {
        Instant at = Instant.parse("2026-11-22T13:07:59.5Z");

        assertThat(TimeSeries.Layout.MINUTES_OF_HOUR.rowKey(at)).isEqualTo("2026112213");
        assertThat(TimeSeries.Layout.HOURS_OF_DAY.rowKey(at)).isEqualTo("20261122");
        assertThat(TimeSeries.Layout.DAYS_OF_MONTH.rowKey(at)).isEqualTo("202611");
        assertThat(TimeSeries.Layout.MONTHS_OF_YEAR.rowKey(at)).isEqualTo("2026");
        assertThat(TimeSeries.Layout.MINUTES_OF_HOUR.slot(at)).isEqualTo(7);
        assertThat(TimeSeries.Layout.HOURS_OF_DAY.slot(at)).isEqualTo(13);
        assertThat(TimeSeries.Layout.DAYS_OF_MONTH.slot(at)).isEqualTo(22);
        assertThat(TimeSeries.Layout.MONTHS_OF_YEAR.slot(at)).isEqualTo(11);
        assertThat(TimeSeries.Layout.MONTHS_OF_YEAR.start(at)).isEqualTo("2026-11-01T00:00:00Z");
    }

    @Test
    void knowsWhichDaysThereAre() {
        assertThat(TimeSeries.Layout.DAYS_OF_MONTH.at("202802", 29)).isEqualTo("2028-02-29T00:00:00Z");
        assertThat(TimeSeries.Layout.DAYS_OF_MONTH.at("202702", 29)).isNull();
        assertThat(TimeSeries.Layout.DAYS_OF_MONTH.at("202713", 1)).isNull();
        assertThat(TimeSeries.Layout.DAYS_OF_MONTH.at("2027-1", 1)).isNull();
        assertThat(TimeSeries.Layout.DAYS_OF_MONTH.at("20270101", 1)).isNull();
    }

    @Test
    void refusesYearsThatHaveNoPlace() {
        for (Instant at : new Instant[] {FIRST.minusNanos(1), LAST.plusNanos(1), Instant.MIN, Instant.MAX}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> TimeSeries.Layout.HOURS_OF_DAY.rowKey(at))
                    .withMessageContaining(at.toString())
                    .withMessageContaining("1601 to 9999");
        }
    }
}
