package io.stowline.projection.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;
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

    private static final Pattern QUOTED = Pattern.compile("'(?:[^']|'')*'");
    private static final Pattern OPERATOR = Pattern.compile(" (eq|ne|gt|ge|lt|le) ");

    /** The values that entities have and filters compare with, in their order, for each property. */
    private static final Map<String, List<Object>> VALUES = Map.ofEntries(
            Map.entry("PartitionKey", List.of("", "a", "b'c", "d or e")),
            Map.entry("RowKey", List.of("' or 1 eq 1 or 'a' eq '", "''", ") and (", "z eq 'z")),
            Map.entry("Timestamp", List.of(Instant.EPOCH, Instant.parse("2024-02-29T12:30:00.1234567Z"))),
            Map.entry("s", List.of("", "O'Neill", "Zürich 😀", "not (")),
            Map.entry("flag", List.of(false, true)),
            Map.entry("i", List.of(Integer.MIN_VALUE, -1, 0, 7, Integer.MAX_VALUE)),
            Map.entry("l", List.of(Long.MIN_VALUE, -1L, 0L, 7L, Long.MAX_VALUE)),
            Map.entry("d", List.of(-1e300, -0.5, 0.0, 1e-7, 1.0, 1e10)),
            Map.entry("t", List.of(Instant.parse("1601-01-01T00:00:00Z"), Instant.EPOCH)),
            Map.entry("g", List.of(new UUID(0, 1), new UUID(1, 0))),
            Map.entry("x", List.of(new byte[0], new byte[] {0}, new byte[] {127}, new byte[] {-1, 0})));

    private static final List<String> NAMES = List.copyOf(new java.util.TreeSet<>(VALUES.keySet()));

    /** A filter, what it means, and how many comparisons it was made of. */
    private record Meaning(Filter filter, Predicate<Map<String, Object>> predicate, int comparisons) {

        Meaning not() {
            return new Meaning(filter.not(), predicate.negate(), comparisons);
        }

        Meaning raw() {
            return new Meaning(Filter.raw(filter.toString()), predicate, comparisons);
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
    Arbitrary<Map<String, Object>> entities() {
        return Arbitraries.randoms().map(random -> {
            Map<String, Object> entity = new HashMap<>();
            VALUES.forEach((name, values) -> entity.put(name, values.get(random.nextInt(values.size()))));
            return entity;
        });
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
                inner.map(Meaning::raw),
                Combinators.combine(inner, inner).as(Meaning::and),
                Combinators.combine(inner, inner).as(Meaning::or),
                several.map(Meaning::all),
                several.map(Meaning::any));
    }

    private static Arbitrary<Meaning> comparisons() {
        return Combinators.combine(
                        Arbitraries.of(NAMES),
                        Arbitraries.integers().between(0, 8),
                        Arbitraries.integers().between(0, 100),
                        Arbitraries.integers().between(0, 100))
                .as((name, operator, one, other) -> {
                    List<Object> values = VALUES.get(name);
                    return comparison(
                            name, operator, values.get(one % values.size()), values.get(other % values.size()));
                });
    }

    private static FilterProperty property(String name) {
        return switch (name) {
            case "PartitionKey" -> Filter.partitionKey();
            case "RowKey" -> Filter.rowKey();
            case "Timestamp" -> Filter.timestamp();
            default -> Filter.property(name);
        };
    }

    private static Meaning comparison(String name, int operator, Object value, Object other) {
        FilterProperty property = property(name);
        boolean ordered = !(value instanceof Boolean || value instanceof UUID);
        return switch (ordered ? operator : operator % 3) {
            case 0 -> meaning(property.equalTo(value), name, value, order -> order == 0);
            case 1 -> meaning(property.notEqualTo(value), name, value, order -> order != 0);
            case 2 ->
                new Meaning(
                        property.in(value, other),
                        entity -> compare(entity.get(name), value) == 0 || compare(entity.get(name), other) == 0,
                        2);
            case 3 -> meaning(property.greaterThan(value), name, value, order -> order > 0);
            case 4 -> meaning(property.atLeast(value), name, value, order -> order >= 0);
            case 5 -> meaning(property.lessThan(value), name, value, order -> order < 0);
            case 6 -> meaning(property.atMost(value), name, value, order -> order <= 0);
            case 7 -> prefix(property, name, value);
            default ->
                new Meaning(
                        property.between(value, other),
                        entity -> compare(entity.get(name), value) >= 0 && compare(entity.get(name), other) <= 0,
                        2);
        };
    }

    private static Meaning prefix(FilterProperty property, String name, Object value) {
        if (!(value instanceof String text) || text.isEmpty()) {
            return meaning(property.equalTo(value), name, value, order -> order == 0);
        }
        String prefix = text.substring(0, text.offsetByCodePoints(0, 1));
        return new Meaning(
                property.startsWith(prefix),
                entity -> entity.get(name).toString().startsWith(prefix),
                2);
    }

    private static Meaning meaning(Filter filter, String name, Object value, IntPredicate order) {
        return new Meaning(filter, entity -> order.test(compare(entity.get(name), value)), 1);
    }

    @SuppressWarnings("unchecked") // the values of one property are of one class
    private static int compare(Object stored, Object value) {
        return stored instanceof byte[] bytes
                ? Arrays.compareUnsigned(bytes, (byte[]) value)
                : ((Comparable<Object>) stored).compareTo(value);
    }

    @Property(tries = 3_000)
    @Label("MAP-4: the text of a filter means what was built, for all operators, types and nestings")
    void meansWhatWasBuilt(@ForAll("meanings") Meaning meaning, @ForAll("entities") Map<String, Object> entity) {
        assertThat(FilterReading.holds(meaning.filter().toString(), entity))
                .as(meaning.filter().toString())
                .isEqualTo(meaning.predicate().test(entity));
    }

    @Property
    @Label("MAP-3: comparisons are counted however they are nested, in raw text too")
    void countsEveryComparison(@ForAll("meanings") Meaning meaning) {
        String unquoted = QUOTED.matcher(meaning.filter().toString()).replaceAll("?");
        long written = OPERATOR.matcher(unquoted).results().count();

        assertThat(meaning.filter().comparisons())
                .isEqualTo(meaning.comparisons())
                .isEqualTo((int) written);
    }

    @Property
    @Label("T7: a filter that fixes a property holds for one of its values only")
    void knowsWhatItSaysOfKeys(@ForAll("meanings") Meaning meaning, @ForAll("entities") Map<String, Object> entity) {
        for (String name : List.of("PartitionKey", "RowKey")) {
            long holding = VALUES.get(name).stream()
                    .filter(value -> meaning.predicate().test(with(entity, name, value)))
                    .count();
            if (meaning.filter().fixes(name)) {
                assertThat(holding).as(meaning.filter().toString()).isLessThanOrEqualTo(1);
                assertThat(meaning.filter().bounds(name)).isTrue();
            }
        }
    }

    private static Map<String, Object> with(Map<String, Object> entity, String name, Object value) {
        Map<String, Object> other = new HashMap<>(entity);
        other.put(name, value);
        return other;
    }
}
