package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.WriteResult;
import io.stowline.table.RollingSeries.Ring;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Rolling series against a model. */
class RollingSeriesModelTest {

    /** A row as the ring's rules say, without a service. */
    private static final class ModelRing {

        private final Map<Integer, Map.Entry<Instant, Integer>> places = new HashMap<>();
        private final Ring ring;

        ModelRing(Ring ring) {
            this.ring = ring;
        }

        boolean put(Instant at, int value) {
            Instant start = ring.start(at);
            Map.Entry<Instant, Integer> there = places.get(ring.slot(at));
            if (there != null && there.getKey().isAfter(start)) {
                return false;
            }
            places.put(ring.slot(at), Map.entry(start, value));
            return true;
        }

        SortedMap<Instant, Integer> window(Instant at) {
            SortedMap<Instant, Integer> window = new TreeMap<>();
            places.values().forEach(place -> window.put(place.getKey(), place.getValue()));
            window.keySet()
                    .removeIf(start ->
                            start.isAfter(at) || !start.isAfter(ring.start(at).minus(ring.span())));
            return window;
        }
    }

    /**
     * A write of the property.
     *
     * @param minutesLater by how much the clock has moved before it
     * @param minutesLate by how much its time is before the clock
     */
    record Write(int minutesLater, int minutesLate) {}

    @Provide
    Arbitrary<Write> writes() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 300),
                        Arbitraries.frequencyOf(
                                Tuple.of(4, Arbitraries.integers().between(-30, 60)),
                                Tuple.of(1, Arbitraries.integers().between(0, 1_500))))
                .as(Write::new);
    }

    @Property(tries = 150)
    @Label("T14: random writes in random order give the window of a model, and nothing newer is overwritten")
    void givesTheWindowOfAModel(
            @ForAll @IntRange(min = 3, max = 9) int slots,
            @ForAll @IntRange(min = 30, max = 90) int minutes,
            @ForAll @Size(max = 40) List<@From("writes") Write> writes,
            @ForAll boolean reactive) {
        Ring ring = new Ring(Duration.ofMinutes(minutes), slots);
        RollingBench bench = new RollingBench();
        Table<Entity> table = bench.table();
        RollingSeries<Integer> series = table.series("n", Integer.class, ring);
        ReactiveRollingSeries<Integer> twin = table.reactive().series("n", Integer.class, ring);
        ModelRing model = new ModelRing(ring);
        int value = 0;
        for (Write write : writes) {
            bench.pass(Duration.ofMinutes(write.minutesLater()));
            Instant at = bench.now().minus(Duration.ofMinutes(write.minutesLate()));
            bench.forget();
            Optional<WriteResult> written =
                    reactive ? twin.put("p", at, ++value).blockOptional() : series.put("p", at, ++value);

            assertThat(written.isPresent()).isEqualTo(model.put(at, value));
            boolean late = !bench.now()
                    .isBefore(ring.start(at)
                            .plus(ring.span())
                            .minus(ring.slotLength().multipliedBy(2)));
            assertThat(bench.requests()).hasSize(late && written.isPresent() ? 2 : 1);
            Instant last = bench.now().minus(Duration.ofMinutes(write.minutesLater() / 2));
            assertThat(series.read("p", last)).isEqualTo(model.window(last));
        }
        assertThat(twin.read("p", bench.now()).block()).isEqualTo(model.window(bench.now()));
    }
}
