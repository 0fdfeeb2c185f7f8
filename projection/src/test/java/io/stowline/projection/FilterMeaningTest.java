package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FilterMeaningTest {

    private static final Pattern OPERATOR = Pattern.compile(" (eq|ne|gt|ge|lt|le) ");

    /** A filter, what it means, and how many comparisons it was made of. */
    private record Meaning(Filter filter, Predicate<Map<String, Integer>> predicate, int comparisons) {

        Meaning not() {
            return new Meaning(filter.not(), predicate.negate(), comparisons);
        }

        Meaning and(Meaning other) {
            return new Meaning(
                    filter.and(other.filter), predicate.and(other.predicate), comparisons + other.comparisons);
        }

        Meaning or(Meaning other) {
            return new Meaning(filter.or(other.filter), predicate.or(other.predicate), comparisons + other.comparisons);
        }

        static Meaning all(List<Meaning> parts) {
            return new Meaning(
                    Filter.all(parts.stream().map(Meaning::filter).toList()),
                    entity -> parts.stream().allMatch(part -> part.predicate.test(entity)),
                    parts.stream().mapToInt(Meaning::comparisons).sum());
        }

        static Meaning any(List<Meaning> parts) {
            return new Meaning(
                    Filter.any(parts.stream().map(Meaning::filter).toList()),
                    entity -> parts.stream().anyMatch(part -> part.predicate.test(entity)),
                    parts.stream().mapToInt(Meaning::comparisons).sum());
        }
    }

    @Provide
    Arbitrary<Meaning> meanings() {
        return meanings(3);
    }

    @Provide
    Arbitrary<Map<String, Integer>> entities() {
        Arbitrary<Integer> values = Arbitraries.integers().between(-2, 2);
        return Combinators.combine(values, values, values).as((a, b, c) -> Map.of("a", a, "b", b, "c", c));
    }

    private static Arbitrary<Meaning> meanings(int depth) {
        if (depth == 0) {
            return comparisons();
        }
        Arbitrary<Meaning> inner = Arbitraries.lazy(() -> meanings(depth - 1));
        Arbitrary<List<Meaning>> several = inner.list().ofMinSize(1).ofMaxSize(3);
        return Arbitraries.oneOf(
                comparisons(),
                inner.map(Meaning::not),
                Combinators.combine(inner, inner).as(Meaning::and),
                Combinators.combine(inner, inner).as(Meaning::or),
                several.map(Meaning::all),
                several.map(Meaning::any));
    }

    private static Arbitrary<Meaning> comparisons() {
        return Combinators.combine(
                        Arbitraries.of("a", "b", "c"),
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(-2, 2))
                .as(FilterMeaningTest::comparison);
    }

    private static Meaning comparison(String name, int operator, int value) {
        FilterProperty property = Filter.property(name);
        return switch (operator) {
            case 0 -> new Meaning(property.equalTo(value), entity -> entity.get(name) == value, 1);
            case 1 -> new Meaning(property.notEqualTo(value), entity -> entity.get(name) != value, 1);
            case 2 -> new Meaning(property.greaterThan(value), entity -> entity.get(name) > value, 1);
            case 3 -> new Meaning(property.atLeast(value), entity -> entity.get(name) >= value, 1);
            case 4 -> new Meaning(property.lessThan(value), entity -> entity.get(name) < value, 1);
            case 5 -> new Meaning(property.atMost(value), entity -> entity.get(name) <= value, 1);
            default ->
                new Meaning(
                        property.between(value, value + 1),
                        entity -> entity.get(name) >= value && entity.get(name) <= value + 1,
                        2);
        };
    }

    @Property
    @Label("M4: the text of a filter means what was built")
    void meansWhatWasBuilt(@ForAll("meanings") Meaning meaning, @ForAll("entities") Map<String, Integer> entity) {
        assertThat(FilterReading.holds(meaning.filter().toString(), entity))
                .as(meaning.filter().toString())
                .isEqualTo(meaning.predicate().test(entity));
    }

    @Property
    @Label("M3: comparisons are counted however they are nested")
    void countsEveryComparison(@ForAll("meanings") Meaning meaning) {
        long written = OPERATOR.matcher(meaning.filter().toString()).results().count();

        assertThat(meaning.filter().comparisons())
                .isEqualTo(meaning.comparisons())
                .isEqualTo((int) written);
    }
}
