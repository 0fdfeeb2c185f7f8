package io.stowline.table.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.PropertyConversionException;
import io.stowline.table.Entity;
import io.stowline.table.RollingSeries.Ring;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RollingSlotsTest {

    private static final Instant HOUR = Instant.parse("2026-11-22T13:00:00Z");
    private static final RollingSlots<Double> SLOTS = new RollingSlots<>("temperature", Double.class, Ring.hours(24));

    private static <V> Entity row(RollingSlots<V> slots, V value) {
        return slots.entity("p", new TreeMap<>(Map.of(HOUR, value)));
    }

    @Test
    @DisplayName("T14: a slot is its value and its start")
    void aSlotIsTwoProperties() {
        assertThat(row(SLOTS, 21.5))
                .isEqualTo(Entity.builder("p", "PT1H-24")
                        .set("temperature_13", 21.5)
                        .set("temperature_13_at", HOUR)
                        .build());
        assertThat(SLOTS.select())
                .hasSize(50)
                .startsWith("PartitionKey", "RowKey", "temperature_00", "temperature_00_at")
                .endsWith("temperature_23", "temperature_23_at");
        assertThat(new RollingSlots<>("n", Long.class, Ring.minutes(126)).select())
                .endsWith("n_125", "n_125_at");
        assertThat(new RollingSlots<>("x".repeat(80), Long.class, Ring.hours(24)).select())
                .isNull();
    }

    @Test
    @DisplayName("MAP-2: values come back in their type")
    void valuesComeBackInTheirType() {
        RollingSlots<BigDecimal> prices = new RollingSlots<>("price", BigDecimal.class, Ring.hours(24));
        RollingSlots<Duration> times = new RollingSlots<>("time", Duration.class, Ring.hours(24));

        assertThat(prices.window(row(prices, new BigDecimal("1.50")), HOUR))
                .containsExactly(Map.entry(HOUR, new BigDecimal("1.50")));
        assertThat(times.window(row(times, Duration.ofSeconds(90)), HOUR).values())
                .containsExactly(Duration.ofSeconds(90));
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> SLOTS.window(
                        row(SLOTS, 1.0).toBuilder()
                                .set("temperature_13", "warm")
                                .build(),
                        HOUR))
                .withMessageContaining("temperature_13");
    }

    @Test
    void ofForeignPropertiesNothingIsTaken() {
        Entity row = Entity.builder("p", "PT1H-24")
                .set("temperature_11", 1.0) // without a time
                .set("temperature_12", 1.0)
                .set("temperature_12_at", HOUR) // the time of another slot
                .set("temperature_13", 1.0)
                .set("temperature_13_at", HOUR.plusSeconds(1)) // inside of a slot
                .set("temperature_14_at", HOUR.plusSeconds(3_600)) // without a value
                .build();

        assertThat(SLOTS.window(row, HOUR.plusSeconds(7_200))).isEmpty();
        assertThat(SLOTS.notOlder(new TreeMap<>(Map.of(HOUR.minus(Duration.ofDays(1)), 1.0)), row))
                .hasSize(1);
    }

    @Test
    void aWindowEndsWithTheSlotOfItsTime() {
        Entity row = row(SLOTS, 1.0);

        assertThat(SLOTS.window(row, HOUR.minusNanos(1))).isEmpty();
        assertThat(SLOTS.window(row, HOUR)).hasSize(1);
        assertThat(SLOTS.window(row, HOUR.plus(Duration.ofDays(1)).minusNanos(1)))
                .hasSize(1);
        assertThat(SLOTS.window(row, HOUR.plus(Duration.ofDays(1)))).isEmpty();
    }

    @Test
    void refusesNamesAndTypesThatNoPropertyHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RollingSlots<>("wind speed", Double.class, Ring.hours(24)))
                .withMessageContaining("wind speed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RollingSlots<>("x".repeat(250), Double.class, Ring.hours(24)))
                .withMessageContaining("255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RollingSlots<>("s", List.class, Ring.hours(24)))
                .withMessageContaining("java.util.List");
    }
}
