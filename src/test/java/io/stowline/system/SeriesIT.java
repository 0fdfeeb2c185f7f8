package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.WriteOutcome;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTimeSeries;
import io.stowline.table.RollingSeries;
import io.stowline.table.Table;
import io.stowline.table.TimeSeries;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.SentRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SeriesIT extends StorageTest {

    private static final Instant DAY = Instant.parse("2026-11-22T00:00:00Z");

    private FaultProxy proxy;
    private Table<Entity> table;
    private TimeSeries<Double> temperature;

    @BeforeEach
    void makeTable() {
        proxy = proxy();
        table = freshTable();
        temperature = table.series("temperature", Double.class, TimeSeries.Layout.HOURS_OF_DAY);
        proxy.clear();
    }

    private List<SentRequest> sent() {
        return proxy.recorded(requests()).stream()
                .map(RecordedExchange::request)
                .toList();
    }

    private static Instant hour(int hour) {
        return DAY.plus(hour, ChronoUnit.HOURS);
    }

    private static SortedMap<Instant, Double> hours(int count) {
        SortedMap<Instant, Double> values = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            values.put(hour(i), i + (i % 2 == 0 ? 0 : 0.5));
        }
        return values;
    }

    @Test
    @DisplayName("T14: each value is one merge, and 24 of them are one point read")
    void oneMergeForAValueAndOneReadForADay() {
        hours(24).forEach((at, value) -> temperature.put("station-7", at.plusSeconds(60), value));

        assertThat(sent()).hasSize(24).allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.header("If-Match")).isNull();
            assertThat(request.target()).contains("PartitionKey='station-7',RowKey='20261122'");
        });
        proxy.clear();

        assertThat(temperature.read("station-7", hour(5))).isEqualTo(hours(24));
        assertThat(sent()).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("GET");
            assertThat(request.target()).contains("RowKey='20261122'").contains("temperature_00%2Ctemperature_01");
        });
    }

    @Test
    @DisplayName("T14, T12: many values are one operation for each row, in one transaction")
    void manyValuesAreOneRequest() {
        assertThat(temperature.putAll("station-7", hours(24))).hasSize(1);
        assertThat(sent()).singleElement().extracting(SentRequest::method).isEqualTo("PATCH");
        proxy.clear();

        assertThat(temperature.putAll("station-7", hours(72)))
                .hasSize(3)
                .allSatisfy(written -> assertThat(written.outcome()).isEqualTo(WriteOutcome.CONFIRMED));
        assertThat(sent())
                .singleElement()
                .extracting(SentRequest::target)
                .asString()
                .contains("$batch");
        proxy.clear();

        assertThat(temperature.putAll("station-7", hours(24 * 101))).hasSize(101);
        assertThat(sent()).extracting(SentRequest::method).containsExactly("POST", "PATCH");
        assertThat(temperature.putAll("station-7", Map.of())).isEmpty();
    }

    @Test
    @DisplayName("T14: a span is one query over its rows, and of other series nothing is fetched")
    void aSpanIsOneQuery() {
        TimeSeries<String> sky = table.series("sky", String.class, TimeSeries.Layout.HOURS_OF_DAY);
        temperature.putAll("station-7", hours(24 * 3));
        sky.put("station-7", hour(30), "clear");
        table.insert(Entity.builder("station-7", "20261123-note")
                .set("temperature_01", 99.0)
                .build());
        proxy.clear();

        SortedMap<Instant, Double> found = temperature.read("station-7", hour(20).plusSeconds(1), hour(50));

        assertThat(found).isEqualTo(hours(50).tailMap(hour(20)));
        assertThat(sent()).singleElement().satisfies(request -> assertThat(request.target())
                .contains("RowKey%20ge%20%2720261122%27")
                .contains("RowKey%20le%20%2720261124%27")
                .doesNotContain("sky"));
        assertThat(sky.read("station-7", hour(24))).containsOnly(Map.entry(hour(30), "clear"));
        proxy.clear();
        assertThat(temperature.read("station-7", hour(1), hour(1))).isEmpty();
        assertThat(sent()).isEmpty();
    }

    @Test
    void gapsAndPeriodsWithoutValuesAreAbsent() {
        temperature.put("station-7", hour(3), 3.0);

        assertThat(temperature.read("station-7", hour(0))).containsOnly(Map.entry(hour(3), 3.0));
        assertThat(temperature.read("station-7", hour(24))).isEmpty();
        assertThat(temperature.read("station-8", hour(0), hour(24))).isEmpty();
    }

    @Test
    @DisplayName("T14: the next period is a new row, in every layout")
    void rollsOver() {
        for (TimeSeries.Layout layout : TimeSeries.Layout.values()) {
            TimeSeries<Long> series = table.series("n", Long.class, layout);
            Instant last = Instant.parse("2026-12-31T23:59:59Z");
            series.putAll(layout.name(), Map.of(last, 1L, last.plusSeconds(1), 2L));

            assertThat(series.read(layout.name(), last)).containsOnly(Map.entry(layout.start(last), 1L));
            assertThat(series.read(layout.name(), last, last.plusSeconds(2)).values())
                    .containsExactly(1L, 2L);
        }
    }

    @Test
    @DisplayName("DESIGN: both faces of a series do the same")
    void bothFacesDoTheSame() {
        ReactiveTimeSeries<Double> reactive =
                table.reactive().series("temperature", Double.class, TimeSeries.Layout.HOURS_OF_DAY);
        reactive.putAll("station-7", hours(26)).block();
        reactive.put("station-7", hour(26), 26.0).block();

        assertThat(reactive.read("station-7", hour(0)).block()).isEqualTo(hours(24));
        assertThat(reactive.read("station-7", hour(0), hour(48)).block())
                .isEqualTo(hours(27))
                .isEqualTo(temperature.read("station-7", hour(0), hour(48)));
        assertThat(reactive.read("station-8", hour(0)).block()).isEmpty();
        assertThat(reactive.read("station-7", hour(0), hour(0)).block()).isEmpty();
    }

    @Test
    @DisplayName("T14: the last 24 hours are one row, each value is one merge, and a late value keeps a newer one")
    void rolls() {
        RollingSeries<Double> recent = table.series("temperature", Double.class, RollingSeries.Ring.hours(24));
        Instant now = Instant.now();
        for (int i = 21; i >= 0; i--) {
            assertThat(recent.put("station-7", now.minus(i, ChronoUnit.HOURS), 0.5 * i))
                    .isPresent();
        }
        assertThat(sent()).hasSize(22).allSatisfy(request -> {
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.header("If-Match")).isNull();
            assertThat(request.target()).contains("RowKey='PT1H-24'");
        });
        proxy.clear();

        SortedMap<Instant, Double> window = recent.read("station-7", now);
        assertThat(window).hasSize(22);
        assertThat(window.lastKey()).isEqualTo(now.truncatedTo(ChronoUnit.HOURS));
        assertThat(sent()).extracting(SentRequest::method).containsExactly("GET");
        proxy.clear();

        assertThat(recent.put("station-7", now.minus(24, ChronoUnit.HOURS), 99.0))
                .isEmpty();
        assertThat(recent.put("station-7", now.minus(23, ChronoUnit.HOURS), 23.0))
                .isPresent();
        assertThat(recent.put("station-8", now.minus(23, ChronoUnit.HOURS), 23.0))
                .isPresent();
        assertThat(sent()).extracting(SentRequest::method).containsExactly("GET", "GET", "PATCH", "GET", "POST");
        assertThat(table.reactive()
                        .series("temperature", Double.class, RollingSeries.Ring.hours(24))
                        .read("station-7", now)
                        .block())
                .hasSize(23)
                .isEqualTo(recent.read("station-7", now));
    }

    @Test
    @DisplayName("OUTCOME-1: a lost response to a late value is settled by its mark")
    void settlesALostLateValue() {
        RollingSeries<Long> recent = table.series("n", Long.class, RollingSeries.Ring.hours(24));
        Instant late = Instant.now().minus(23, ChronoUnit.HOURS);
        proxy.when(requests().method("POST").nth(1)).loseResponse();
        proxy.when(requests().method("PATCH").nth(1)).loseResponse();

        assertThat(recent.put("p", late, 1L).orElseThrow().outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(recent.put("p", late, 2L).orElseThrow().outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(recent.read("p", Instant.now()).values()).containsExactly(2L);
    }

    @Test
    @DisplayName("T14: a ring of 126 slots fills an entity, and a conditional write has room in it")
    void fillsAnEntity() {
        RollingSeries<Long> recent = table.series("n", Long.class, RollingSeries.Ring.minutes(126));
        Instant now = Instant.now();
        SortedMap<Instant, Long> all = new TreeMap<>();
        for (long i = 0; i < 126; i++) {
            all.put(now.truncatedTo(ChronoUnit.MINUTES).minus(i, ChronoUnit.MINUTES), i);
        }

        assertThat(recent.putAll("p", all)).isPresent();
        assertThat(recent.putAll("p", all)).isPresent();
        assertThat(recent.read("p", now)).isEqualTo(all);
    }
}
