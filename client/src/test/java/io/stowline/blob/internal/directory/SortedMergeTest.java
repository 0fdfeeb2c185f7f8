package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.directory.SortedMerge.Both;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class SortedMergeTest {

    /** The order in which an account with a hierarchical namespace lists: step by step, as a walk over its folders. */
    private static final Comparator<String> BY_FOLDER =
            Comparator.comparing(name -> List.of(name.split("/", -1)), (one, other) -> {
                int shared = 0;
                while (shared < Math.min(one.size(), other.size()) - 1
                        && one.get(shared).equals(other.get(shared))) {
                    shared++;
                }
                int steps = one.get(shared).compareTo(other.get(shared));
                return steps == 0 ? Integer.compare(one.size(), other.size()) : steps;
            });

    private static List<Both<String, String>> merge(Iterable<String> sources, Iterable<String> targets) {
        return SortedMerge.of(Flux.fromIterable(sources), name -> name, Flux.fromIterable(targets), name -> name)
                .collectList()
                .block();
    }

    private static Set<String> names(Random random) {
        Set<String> names = new TreeSet<>();
        int count = random.nextInt(1_200);
        for (int i = 0; i < count; i++) {
            names.add(Integer.toString(random.nextInt(1_500), 36));
        }
        return names;
    }

    @RepeatedTest(40)
    @DisplayName("what both sides have comes as one, in the order of names")
    void pairs(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        Set<String> sources = names(random);
        Set<String> targets = names(random);
        TreeSet<String> all = new TreeSet<>(sources);
        all.addAll(targets);

        List<Both<String, String>> merged = merge(sources, targets);

        assertThat(merged)
                .extracting(both -> Objects.requireNonNullElse(both.source(), both.target()))
                .containsExactlyElementsOf(all);
        haveTheirSides(merged, sources, targets);
    }

    private static void haveTheirSides(List<Both<String, String>> merged, Set<String> sources, Set<String> targets) {
        assertThat(merged)
                .allMatch(both -> (both.source() != null) == sources.contains(name(both))
                        && (both.target() != null) == targets.contains(name(both)));
    }

    private static String name(Both<String, String> both) {
        return Objects.requireNonNullElse(both.source(), both.target());
    }

    @RepeatedTest(40)
    @DisplayName("TRANSFER-4: in another order each side comes once, and no two names are taken for one")
    void anotherOrder(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        Set<String> sources = names(random);
        List<String> targets = new ArrayList<>(names(random));
        Collections.shuffle(targets, random);
        Set<String> unseenSources = new HashSet<>(sources);
        Set<String> unseenTargets = new HashSet<>(targets);

        for (Both<String, String> both : merge(sources, targets)) {
            if (both.source() != null && both.target() != null) {
                assertThat(both.source()).isEqualTo(both.target());
            }
            assertThat(both.source() == null || unseenSources.remove(both.source()))
                    .isTrue();
            assertThat(both.target() == null || unseenTargets.remove(both.target()))
                    .isTrue();
        }

        assertThat(unseenSources).isEmpty();
        assertThat(unseenTargets).isEmpty();
    }

    private static List<String> tree(Random random) {
        Set<String> names = new TreeSet<>();
        int count = random.nextInt(300);
        for (int i = 0; i < count; i++) {
            StringBuilder name = new StringBuilder();
            for (int depth = random.nextInt(4); depth >= 0; depth--) {
                name.append("ab".charAt(random.nextInt(2)))
                        .append(List.of("", "-", ".", "0", " ").get(random.nextInt(5)));
                name.append(depth == 0 ? "" : "/");
            }
            names.add(name.toString());
        }
        return new ArrayList<>(names);
    }

    @Test
    @DisplayName("in the order of folders a slash comes before all other characters")
    void orderOfFoldersIsThatOfTheirNames() {
        List<String> names = List.of("a", "a/", "a/b", "a/b/c", "a/b c", "a/c", "a ", "a-b", "a-b/c", "a.b", "a0", "b");

        assertThat(names.stream().sorted(SortedMerge::byFolder)).isEqualTo(names);
        assertThat(names.stream().sorted(BY_FOLDER)).isEqualTo(names);
    }

    @RepeatedTest(100)
    @DisplayName("TRANSFER-4: what both sides have comes as one, in the order of names or of folders on each side")
    void orderOfFolders(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        List<String> sources = tree(random);
        List<String> targets = tree(random);
        Set<String> all = new TreeSet<>(sources);
        all.addAll(targets);
        for (int orders = 0; orders < 4; orders++) {
            sources.sort(orders % 2 == 0 ? Comparator.naturalOrder() : BY_FOLDER);
            targets.sort(orders < 2 ? Comparator.naturalOrder() : BY_FOLDER);

            List<Both<String, String>> merged = merge(sources, targets);

            assertThat(merged).hasSameSizeAs(all);
            assertThat(merged.stream().map(SortedMergeTest::name).collect(Collectors.toSet()))
                    .isEqualTo(all);
            haveTheirSides(merged, new HashSet<>(sources), new HashSet<>(targets));
        }
    }

    @Test
    @DisplayName("a side that ends, or has passed a name in both orders, keeps no item of the other side waiting")
    void waits() {
        assertThat(SortedMerge.of(
                                Flux.range(0, 200_000).map("%06d"::formatted).concatWith(Flux.never()),
                                name -> name,
                                Flux.<String>empty(),
                                name -> name)
                        .take(100_000)
                        .count()
                        .block())
                .isEqualTo(100_000);
    }

    @Test
    @DisplayName("of items of one name on one side the first has the partner, and the others come alone")
    void repeatedName() {
        assertThat(merge(List.of("a", "a", "a", "c"), List.of("a", "b")))
                .containsExactly(
                        new Both<>("a", null),
                        new Both<>("a", null),
                        new Both<>("a", "a"),
                        new Both<>(null, "b"),
                        new Both<>("c", null));
        assertThat(merge(List.of("a"), List.of("a", "a", "b")))
                .containsExactlyInAnyOrder(new Both<>("a", "a"), new Both<>(null, "a"), new Both<>(null, "b"));
    }
}
