package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.table.RollingSeries.Ring;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.account.Bench;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rolling series in virtual time, over a table in memory. */
class RollingSeriesTest {

    private static final Ring DAY = Ring.hours(24);
    private static final Duration HOUR = Duration.ofHours(1);

    private final RollingBench bench = new RollingBench();
    private final MemoryStorage memory = bench.memory();
    private final RollingSeries<Double> series = bench.table().series("temperature", Double.class, DAY);
    private final ReactiveRollingSeries<Double> twin =
            bench.table().reactive().series("temperature", Double.class, DAY);

    private Instant now() {
        return bench.now();
    }

    @Test
    @DisplayName("T14: a value is one merge without reading, and the last 24 hours are one point read")
    void oneMergeAndOneRead() {
        for (int hour = 0; hour < 30; hour++) {
            series.put("station-7", now(), hour + 0.5);
            bench.pass(HOUR);
        }
        assertThat(bench.requests()).hasSize(30).allMatch(request -> request.startsWith("PATCH"));
        bench.forget();

        SortedMap<Instant, Double> window = series.read("station-7", now().minusSeconds(1));

        assertThat(window).hasSize(24);
        assertThat(window.values()).startsWith(6.5).endsWith(29.5);
        assertThat(window.firstKey()).isEqualTo(DAY.start(now().minus(Duration.ofHours(24))));
        assertThat(bench.requests()).singleElement().asString().startsWith("GET");
    }

    @Test
    @DisplayName("T14: after a gap longer than a round no old value is in the window")
    void leavesOutStaleSlots() {
        series.put("p", now(), 1.0);
        bench.pass(HOUR.multipliedBy(24));

        assertThat(series.read("p", now())).isEmpty();
        series.put("p", now().minus(HOUR), 2.0);
        assertThat(series.read("p", now()).values()).containsExactly(2.0);
        assertThat(series.read("q", now())).isEmpty();
    }

    @Test
    @DisplayName("T14: a late value does not take the place of a newer one, and costs a read")
    void keepsTheNewerValue() {
        series.put("p", now(), 1.0);
        bench.forget();

        assertThat(series.put("p", now().minus(DAY.span()), 9.0)).isEmpty();
        assertThat(bench.requests()).singleElement().asString().startsWith("GET");
        assertThat(series.put("p", now().minus(HOUR.multipliedBy(30)), 2.0)).isPresent();
        assertThat(series.put("q", now().minus(DAY.span()), 3.0)).isPresent();
        assertThat(series.read("p", now()).values()).containsExactly(1.0);
        assertThat(series.read("q", now().minus(HOUR)).values()).containsExactly(3.0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("T14: a late value that meets another writer is judged again by the new row")
    void repeatsAfterAConflict(boolean there) {
        if (there) {
            series.put("p", now().minus(HOUR), 0.0);
        }
        int[] requests = {0};
        Instant place = now().minus(DAY.span());
        bench.beforeRequest(() -> {
            if (++requests[0] == 2) {
                bench.beforeRequest(() -> {});
                series.put("p", now(), 1.0);
            }
        });

        Bench.Outcome<WriteResult> outcome = new Bench().start(twin.put("p", place, 9.0));
        bench.pass(Duration.ofSeconds(1));

        assertThat(outcome.ended()).isTrue();
        assertThat(outcome.value()).isNull();
        assertThat(series.read("p", now()).values()).contains(1.0).doesNotContain(9.0);
    }

    @Test
    @DisplayName("OUTCOME-2: a late write whose response is lost is settled by its mark")
    void settlesALostResponse() {
        series.put("p", now(), 1.0);
        memory.loseNextResponse("PATCH", "weather");

        Bench.Outcome<WriteResult> outcome = new Bench().start(twin.put("p", now().minus(HOUR.multipliedBy(23)), 9.0));
        bench.pass(Duration.ofMinutes(1));

        assertThat(outcome.value().outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(series.read("p", now())).hasSize(2);
    }

    @Test
    void severalValuesAreOneRequest() {
        Map<Instant, Double> values = new HashMap<>();
        for (int hour = 0; hour < 30; hour++) {
            values.put(now().minus(HOUR.multipliedBy(hour)), (double) hour);
        }

        assertThat(series.putAll("p", values)).isPresent();
        assertThat(bench.requests()).hasSize(2);
        assertThat(series.read("p", now())).hasSize(24);
        assertThat(series.read("p", now()).values()).startsWith(23.0).endsWith(0.0);
        bench.forget();
        assertThat(series.putAll("p", Map.of())).isEmpty();
        assertThat(bench.requests()).isEmpty();
    }

    @Test
    @DisplayName("MAP-3: a time ahead, two times of a slot and a missing table are clear errors")
    void refusesWhatHasNoPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> series.put("p", now().plus(HOUR.multipliedBy(2)), 1.0))
                .withMessageContaining("one slot of PT1H after this machine's clock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> series.putAll("p", Map.of(now(), 1.0, now().plusSeconds(1), 2.0)))
                .withMessageContaining("are both in the slot that begins");
        assertThat(bench.requests()).isEmpty();
        bench.table().drop();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> series.put("p", Instant.EPOCH, 1.0));
    }

    @Test
    void endsWithTheConflictAtTheDeadline() {
        series.put("p", now(), 1.0);
        Instant late = now().minus(HOUR.multipliedBy(23));
        bench.beforeRequest(() -> {
            if (bench.requests().get(bench.requests().size() - 1).startsWith("GET")) {
                memory.refuseNext("PATCH", "weather", 412, "UpdateConditionNotSatisfied");
            }
        });
        Bench.Outcome<WriteResult> outcome = new Bench().start(twin.put("p", late, 9.0));
        bench.pass(Duration.ofMinutes(10));

        assertThat(outcome.error()).isInstanceOf(PreconditionFailedException.class);
        bench.beforeRequest(() -> {});
        assertThat(series.put("p", now(), 2.0)).isPresent();
    }
}
