package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.Submitter.DescribedItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LaneEntitiesTest {

    private final LaneEntities<String, Integer, String> entities = new LaneEntities<>();
    private final Map<Integer, List<BufferedItem<String, Integer, String>>> expected = new LinkedHashMap<>();

    /** Entities that share hashes by the dozen. */
    private record Clashing(int number) {

        @Override
        public int hashCode() {
            return number % 3;
        }
    }

    @Property(tries = 300)
    @Label("BATCH-4: of each entity the first, the last and those between, whatever comes and goes and however the"
            + " hashes clash")
    void keepsTheOrderOfEachEntity(
            @ForAll @IntRange(min = 1, max = 60) int count,
            @ForAll @Size(max = 200) List<@IntRange(max = 1_000) Integer> steps) {
        int item = 0;
        for (int step : steps) {
            if (step % 3 > 0) {
                append(step % count, item++);
            } else {
                remove(step);
            }
            if (step % 20 == 0) {
                check(count);
            }
        }
        check(count);
    }

    private void append(int number, int item) {
        BufferedItem<String, Integer, String> entry = new BufferedItem<>(
                new DescribedItem<>(item, new GuardedKey(new Clashing(number)), 1, 1, false, true),
                new EngineSubmission<>(null));
        List<BufferedItem<String, Integer, String>> line = expected.computeIfAbsent(number, none -> new ArrayList<>());
        assertThat(entities.append(entry)).isEqualTo(line.isEmpty());
        line.add(entry);
    }

    private void remove(int step) {
        List<Integer> numbers = new ArrayList<>(expected.keySet());
        if (numbers.isEmpty()) {
            return;
        }
        int number = numbers.get(step % numbers.size());
        List<BufferedItem<String, Integer, String>> line = expected.get(number);
        int place = step / 7 % line.size();
        BufferedItem<String, Integer, String> next = entities.remove(line.remove(place));
        assertThat(next).isSameAs(place == 0 && !line.isEmpty() ? line.get(0) : null);
        if (line.isEmpty()) {
            expected.remove(number);
        }
    }

    private void check(int count) {
        for (int number = 0; number < count; number++) {
            List<BufferedItem<String, Integer, String>> line = new ArrayList<>();
            BufferedItem<String, Integer, String> entry = entities.first(new GuardedKey(new Clashing(number)));
            for (; entry != null; entry = entry.nextSame) {
                line.add(entry);
            }
            assertThat(line).isEqualTo(expected.getOrDefault(number, List.of()));
            assertThat(entities.last(new GuardedKey(new Clashing(number))))
                    .isSameAs(line.isEmpty() ? null : line.get(line.size() - 1));
        }
        List<BufferedItem<String, Integer, String>> all = new ArrayList<>();
        entities.forEach(all::add);
        // As sets: a comparison in any order takes a square of steps.
        Set<BufferedItem<String, Integer, String>> apart = new HashSet<>(all);
        assertThat(apart).hasSameSizeAs(all);
        assertThat(apart)
                .isEqualTo(expected.values().stream().flatMap(List::stream).collect(Collectors.toSet()));
    }
}
