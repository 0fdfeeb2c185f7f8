package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.PagedTable.Line;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Divided queries over any partitions, with responses in any order, against the list of present rows. */
class ParallelQueryModelTest {

    /** The way in which the partitions are read. */
    private record Reading(int partitions, int parallelism, boolean ordered, int limit) {}

    @Provide
    Arbitrary<Reading> readings() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 9),
                        Arbitraries.integers().between(1, 6),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 12))
                .as(Reading::new);
    }

    private static List<String> fill(PagedTable service, Reading reading, Random random) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < reading.partitions(); i++) {
            names.add("p" + i);
            service.with("p" + i, pages(random)).hold("p" + i);
        }
        Collections.shuffle(names, random);
        return names;
    }

    private static String[] pages(Random random) {
        int[] row = {0};
        return IntStream.range(0, random.nextInt(5))
                .mapToObj(page -> IntStream.range(0, random.nextInt(4))
                        .mapToObj(any -> String.valueOf((char) ('a' + row[0]++)))
                        .collect(Collectors.joining(" ")))
                .toArray(String[]::new);
    }

    private static ReactiveQuery<Line> query(PagedTable service, Reading reading, List<String> names) {
        ReactiveQuery<Line> query =
                service.table().reactive().query().partitions(names).parallelism(reading.parallelism());
        ReactiveQuery<Line> sorted = reading.ordered() ? query : query.unordered();
        return reading.limit() == 0 ? sorted : sorted.limit(reading.limit());
    }

    @Property
    @Label("MAP-5 T7: whatever answers first, a divided query gives every row once, in its order, and asks for no"
            + " more at a time than it may")
    void givesWhatIsThere(@ForAll("readings") Reading reading, @ForAll Random random) {
        PagedTable service = new PagedTable();
        List<String> names = fill(service, reading, random);
        List<Line> all = service.rows(names);
        List<Line> seen = new ArrayList<>();
        boolean[] ended = {false};

        query(service, reading, names).stream().subscribe(seen::add, error -> {}, () -> ended[0] = true);
        List<String> responses = new ArrayList<>(names);
        Collections.shuffle(responses, random);
        responses.forEach(service::release);

        int wanted = reading.limit() == 0 ? all.size() : Math.min(reading.limit(), all.size());
        assertThat(ended[0]).isTrue();
        assertThat(seen).hasSize(wanted).doesNotHaveDuplicates();
        assertThat(service.maxUnderWay()).isLessThanOrEqualTo(reading.parallelism());
        if (reading.ordered()) {
            assertThat(seen).isEqualTo(all.subList(0, wanted));
        } else {
            assertThat(all).containsAll(seen);
            names.forEach(name -> assertThat(seen.stream()
                            .filter(line -> line.partition().equals(name))
                            .map(Line::row))
                    .isSorted());
        }
    }
}
