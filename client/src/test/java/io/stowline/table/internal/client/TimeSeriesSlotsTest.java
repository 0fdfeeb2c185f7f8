package io.stowline.table.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.PropertyConversionException;
import io.stowline.table.Entity;
import io.stowline.table.TimeSeries;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimeSeriesSlotsTest {

    private static final Instant DAY = Instant.parse("2026-11-22T00:00:00Z");
    private static final TimeSeriesSlots<Double> HOURS =
            new TimeSeriesSlots<>("temperature", Double.class, TimeSeries.Layout.HOURS_OF_DAY);

    private static <V> V restored(V value, Class<V> type) {
        TimeSeriesSlots<V> slots = new TimeSeriesSlots<>("s", type, TimeSeries.Layout.HOURS_OF_DAY);
        return slots.values(slots.entity("p", DAY, value)).get(DAY);
    }

    @Test
    @DisplayName("T14: a value is one property of the row of its period")
    void aValueIsOneProperty() {
        Entity entity = HOURS.entity("station-7", DAY.plus(13, ChronoUnit.HOURS).plusSeconds(59), 21.5);

        assertThat(entity)
                .isEqualTo(Entity.builder("station-7", "20261122")
                        .set("temperature_13", 21.5)
                        .build());
        assertThat(HOURS.values(entity)).containsOnly(Map.entry(Instant.parse("2026-11-22T13:00:00Z"), 21.5));
        assertThat(HOURS.select())
                .hasSize(26)
                .startsWith("PartitionKey", "RowKey", "temperature_00")
                .endsWith("temperature_23");
    }

    @Property
    @Label("T14: whatever values at whatever times come back from the rows that hold them, each row once")
    void comeBackFromTheirRows(
            @ForAll TimeSeries.Layout layout,
            @ForAll @Size(max = 60) Map<@IntRange(max = 200_000) Integer, Integer> minutes) {
        TimeSeriesSlots<Integer> slots = new TimeSeriesSlots<>("s", Integer.class, layout);
        SortedMap<Instant, Integer> values = new TreeMap<>();
        minutes.forEach((minute, value) -> values.put(layout.start(DAY.plus(minute, ChronoUnit.MINUTES)), value));

        List<Entity> rows =
                slots.groups("p", values).stream().flatMap(List::stream).toList();

        assertThat(rows).extracting(Entity::rowKey).isSorted().doesNotHaveDuplicates();
        assertThat(slots.values(rows, DAY.minus(400, ChronoUnit.DAYS), DAY.plus(400, ChronoUnit.DAYS)))
                .isEqualTo(values);
        assertThat(slots.groups("p", values))
                .allSatisfy(group -> assertThat(group).hasSizeBetween(1, 100));
    }

    @Test
    void aSpanBeginsWithTheSlotOfItsFirstTimeAndEndsBeforeItsLast() {
        Entity row = HOURS.entity("p", DAY, 0.0).toBuilder()
                .set("temperature_01", 1.0)
                .set("temperature_02", 2.0)
                .build();

        assertThat(HOURS.values(List.of(row), DAY.plusSeconds(3_601), DAY.plusSeconds(7_200))
                        .values())
                .containsExactly(1.0);
        assertThat(HOURS.values(List.of(row), DAY, DAY.plusSeconds(7_201)).values())
                .containsExactly(0.0, 1.0, 2.0);
    }

    @Test
    void ofOtherRowsAndPropertiesNothingIsTaken() {
        Entity other =
                Entity.builder("p", "202611220").set("temperature_01", 1.0).build();
        Entity more = Entity.builder("p", "20261122")
                .set("temperature_24", 1.0)
                .set("humidity_01", 1.0)
                .build();

        assertThat(HOURS.values(other)).isEmpty();
        assertThat(HOURS.values(more)).isEmpty();
    }

    @Test
    @DisplayName("MAP-2: values come back in their own type, and nothing is narrowed silently")
    void valuesComeBackInTheirOwnType() {
        assertThat(restored((byte) 7, Byte.class)).isEqualTo((byte) 7);
        assertThat(restored(7L, Long.class)).isEqualTo(7L);
        assertThat(restored(1.5f, Float.class)).isEqualTo(1.5f);
        assertThat(restored(2.5, double.class)).isEqualTo(2.5);
        assertThat(restored(TimeSeries.Layout.DAYS_OF_MONTH, TimeSeries.Layout.class))
                .isEqualTo(TimeSeries.Layout.DAYS_OF_MONTH);
        assertThat(restored(Duration.ofSeconds(90), Duration.class)).isEqualTo(Duration.ofSeconds(90));
        assertThat(restored(new BigDecimal("1.50"), BigDecimal.class)).isEqualTo(new BigDecimal("1.50"));
        OffsetDateTime time = OffsetDateTime.parse("2026-11-22T13:00:00Z");
        assertThat(restored(time, OffsetDateTime.class)).isEqualTo(time);

        Entity foreign =
                Entity.builder("p", "20261122").set("temperature_01", "warm").build();
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> HOURS.values(foreign))
                .withMessageContaining("temperature_01")
                .withMessageContaining("warm");
    }

    @Test
    void refusesTwoTimesOfOneSlot() {
        Map<Instant, Double> values = new HashMap<>();
        values.put(DAY, 1.0);
        values.put(DAY.plusSeconds(1), 2.0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> HOURS.groups("p", values))
                .withMessageContaining("2026-11-22T00:00:01Z")
                .withMessageContaining("the slot that begins 2026-11-22T00:00:00Z");
    }

    @Test
    void refusesNamesAndTypesThatNoPropertyHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeSeriesSlots<>("wind speed", Double.class, TimeSeries.Layout.HOURS_OF_DAY))
                .withMessageContaining("wind speed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeSeriesSlots<>("x".repeat(253), Double.class, TimeSeries.Layout.HOURS_OF_DAY))
                .withMessageContaining("255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeSeriesSlots<>("s", List.class, TimeSeries.Layout.HOURS_OF_DAY))
                .withMessageContaining("java.util.List");
    }

    @Test
    void refusesASpanThatEndsBeforeItBegins() {
        assertThat(TimeSeriesSlots.isEmpty(DAY, DAY)).isTrue();
        assertThat(TimeSeriesSlots.isEmpty(DAY, DAY.plusNanos(1))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeSeriesSlots.isEmpty(DAY, DAY.minusNanos(1)))
                .withMessageContaining("from 2026-11-22T00:00:00Z");
    }

    @Test
    void longNamesAreNotRequestedOneByOne() {
        assertThat(new TimeSeriesSlots<>("x".repeat(100), Double.class, TimeSeries.Layout.MINUTES_OF_HOUR).select())
                .isNull();
        assertThat(new TimeSeriesSlots<>("x".repeat(60), Double.class, TimeSeries.Layout.MINUTES_OF_HOUR).select())
                .hasSize(62);
    }
}
