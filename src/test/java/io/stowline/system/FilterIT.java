package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.EntityType;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Filters against the service: what it finds is what the filter means. */
class FilterIT extends StorageTest {

    private static final int ROWS = 120;
    private static final int FILTERS = 150;

    /** The values that rows have and filters compare with, for each property. */
    private static final Map<String, List<Object>> VALUES = new TreeMap<>(Map.of(
            "PartitionKey", List.of("a", "b'c", "d or e", "é"),
            "s", List.of("", "O'Neill", "not (", "Zürich 😀", "' or 1 eq 1 or 'a' eq '"),
            "flag", List.of(true, false),
            "i", List.of(Integer.MIN_VALUE, -1, 0, 7, Integer.MAX_VALUE),
            "l", List.of(Long.MIN_VALUE, -1L, 0L, 7L, Long.MAX_VALUE),
            "d", List.of(-1e10, -0.5, 0.25, 1.0, 1e-7),
            "t", List.of(Instant.parse("1601-01-01T00:00:00Z"), Instant.parse("2024-02-29T12:30:00.1234567Z")),
            "g", List.of(new UUID(0, 1), new UUID(1, 0))));

    private static final List<String> NAMES = List.copyOf(VALUES.keySet());

    private record Meaning(Filter filter, Predicate<Entity> predicate) {}

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    private List<Entity> rows() {
        return IntStream.range(0, ROWS)
                .mapToObj(number -> {
                    Entity.Builder row = Entity.builder((String) any("PartitionKey"), "row " + number);
                    NAMES.stream()
                            .filter(name -> !name.equals("PartitionKey"))
                            .forEach(name -> row.set(name, any(name)));
                    return row.build();
                })
                .toList();
    }

    private Object any(String name) {
        List<Object> values = VALUES.get(name);
        return values.get(random.nextInt(values.size()));
    }

    private Meaning meaning(int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(5);
        if (kind < 2) {
            return comparison();
        }
        Meaning one = meaning(depth - 1);
        if (kind == 2) {
            return new Meaning(one.filter().not(), one.predicate().negate());
        }
        Meaning other = meaning(depth - 1);
        return kind == 3
                ? new Meaning(one.filter().and(other.filter()), one.predicate().and(other.predicate()))
                : new Meaning(one.filter().or(other.filter()), one.predicate().or(other.predicate()));
    }

    private Meaning comparison() {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        Object value = any(name);
        FilterProperty property = name.equals("PartitionKey") ? Filter.partitionKey() : Filter.property(name);
        boolean unordered = value instanceof Boolean || value instanceof UUID;
        return switch (random.nextInt(unordered ? 2 : 6)) {
            case 0 -> meaning(property.equalTo(value), name, value, order -> order == 0);
            case 1 -> meaning(property.notEqualTo(value), name, value, order -> order != 0);
            case 2 -> meaning(property.greaterThan(value), name, value, order -> order > 0);
            case 3 -> meaning(property.atLeast(value), name, value, order -> order >= 0);
            case 4 -> meaning(property.lessThan(value), name, value, order -> order < 0);
            default -> meaning(property.atMost(value), name, value, order -> order <= 0);
        };
    }

    private static Meaning meaning(Filter filter, String name, Object value, IntPredicate order) {
        return new Meaning(filter, row -> order.test(compare(stored(row, name), value)));
    }

    private static Object stored(Entity row, String name) {
        return name.equals("PartitionKey")
                ? row.partitionKey()
                : row.properties().get(name);
    }

    @SuppressWarnings("unchecked") // the values of one property are of one class
    private static int compare(Object stored, Object value) {
        return ((Comparable<Object>) stored).compareTo(value);
    }

    private static List<String> keys(List<Entity> rows) {
        return rows.stream()
                .map(row -> row.partitionKey() + '|' + row.rowKey())
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("MAP-4 T9: the service finds what a filter means, for every operator, type and nesting")
    void findsWhatItMeans() {
        Table<Entity> table = freshTable();
        List<Entity> rows = rows();
        try (var writer = table.writer()) {
            rows.forEach(writer::insert);
        }
        List<Meaning> meanings = new ArrayList<>();
        while (meanings.size() < FILTERS) {
            Meaning meaning = meaning(3);
            if (meaning.filter().comparisons() <= Filter.MAX_COMPARISONS) {
                meanings.add(meaning);
            }
        }

        for (Meaning meaning : meanings) {
            List<Entity> expected = rows.stream().filter(meaning.predicate()).toList();
            assertThat(keys(table.query().where(meaning.filter()).list()))
                    .as("seed %d: %s", seed, meaning.filter())
                    .isEqualTo(keys(expected));
            assertThat(keys(table.query()
                            .where(Filter.raw(meaning.filter().toOData()))
                            .list()))
                    .as("seed %d, raw: %s", seed, meaning.filter())
                    .isEqualTo(keys(expected));
        }
    }

    record Walker(@PartitionKey String race, @RowKey String id, String name, long steps, double pace) {}

    @Test
    @DisplayName(
            "T9: a filter on a component finds what is stored, and a name or a type that is wrong is refused at once")
    void filtersByComponents() {
        Table<Walker> walkers = freshTable(Walker.class);
        walkers.insert(new Walker("full", "1", "Ann", 5_000_000_000L, 4));
        walkers.insert(new Walker("full", "2", "Ben", 7, 4.5));

        assertThat(walkers.query()
                        .where(walkers.property("steps").atLeast(8))
                        .where(walkers.property("race").equalTo("full"))
                        .list())
                .extracting(Walker::name)
                .containsExactly("Ann");
        assertThat(walkers.query().where(walkers.property("pace").equalTo(4)).list())
                .hasSize(1);
        assertThat(walkers.query()
                        .where(walkers.property("id").in("1", "2", "3"))
                        .list())
                .hasSize(2);
        assertThat(EntityType.of(Walker.class).property("steps").name()).isEqualTo("steps");
        assertThat(walkers.reactive()
                        .query()
                        .where(walkers.reactive().property("name").startsWith("A"))
                        .list()
                        .block())
                .hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> walkers.property("step"))
                .withMessageContaining("steps");
    }
}
