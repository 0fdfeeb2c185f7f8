package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.key.KeyFormat;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Keys of a hashed format, and the queries that fan out over them. */
class ParallelScanIT extends StorageTest {

    private static final KeyFormat CUSTOMERS = KeyFormat.hashed(8).escaped("customer");
    private static final KeyFormat EVENTS = KeyFormat.of().newestFirst("at").escaped("what");
    private static final int NAMES = 24;
    private static final int EACH = 10;

    private Table<Entity> table;

    @BeforeEach
    void fill() {
        table = freshTable();
        try (var writer = table.writer()) {
            for (int i = 0; i < NAMES * EACH; i++) {
                writer.insert(Entity.builder(CUSTOMERS.format(name(i % NAMES)), EVENTS.format(at(i), "a/b #" + i))
                        .set("number", i)
                        .build());
            }
        }
    }

    private static String name(int number) {
        return "Größe & Söhne / " + number;
    }

    private static Instant at(int number) {
        return Instant.parse("2026-11-22T00:00:00Z").plusSeconds(number);
    }

    private static List<Integer> numbers(List<Entity> rows) {
        return rows.stream()
                .map(row -> (Integer) row.properties().get("number"))
                .toList();
    }

    @Test
    @DisplayName("A2 T17: composite keys find their rows, the newest first, and are read back")
    void findsByKeys() {
        List<Entity> rows = table.query().partition(CUSTOMERS.format(name(5))).list();

        assertThat(numbers(rows)).hasSize(EACH).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(rows).allSatisfy(row -> {
            assertThat(CUSTOMERS.parse(row.partitionKey()).text("customer")).isEqualTo(name(5));
            int number = numbers(List.of(row)).get(0);
            assertThat(EVENTS.parse(row.rowKey()).time("at")).isEqualTo(at(number));
            assertThat(EVENTS.parse(row.rowKey()).text("what")).isEqualTo("a/b #" + number);
        });
        assertThat(numbers(table.query()
                        .partition(CUSTOMERS.format(name(5)))
                        .rowPrefix(EVENTS.prefix(at(5)))
                        .list()))
                .containsExactly(5);
    }

    @Test
    @DisplayName("T7 A2: the fan-out over a hashed format finds every row once, on both faces")
    void fansOutOverTheBuckets() {
        Query<Entity> fan = table.withScanPolicy(ScanPolicy.REFUSE)
                .query()
                .partitionPrefixes(CUSTOMERS.prefixes())
                .pageSize(7);
        List<Entity> whole = table.query().list();

        assertThat(fan.queryClass()).isEqualTo("partition-range");
        assertThat(fan.list()).isEqualTo(whole).hasSize(NAMES * EACH);
        assertThat(numbers(fan.unordered().parallelism(8).list())).containsExactlyInAnyOrderElementsOf(numbers(whole));
        assertThat(table.reactive()
                        .query()
                        .partitionPrefixes(CUSTOMERS.prefixes())
                        .pageSize(7)
                        .list()
                        .block())
                .isEqualTo(whole);
        assertThat(fan.limit(33).list()).isEqualTo(whole.subList(0, 33));
        assertThat(numbers(fan.where(Filter.property("number").lessThan(20)).list()))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 20).boxed().toList());
    }

    @Test
    @DisplayName("T7: named partitions come in their order, and a split scan is the whole scan")
    void readsPartitionsAndRanges() {
        List<String> keys = new ArrayList<>(Stream.of(7, 3, 11)
                .map(number -> CUSTOMERS.format(name(number)))
                .toList());

        assertThat(table.query().partitions(keys).pageSize(3).list())
                .hasSize(3 * EACH)
                .extracting(Entity::partitionKey)
                .isSortedAccordingTo(Comparator.comparing(keys::indexOf));
        assertThat(table.query().splitAt("002", "004", "006").pageSize(9).list())
                .isEqualTo(table.query().list());
        try (Stream<Entity> some = table.query().splitAt("004").pageSize(2).stream()) {
            assertThat(some.limit(5)).hasSize(5);
        }
    }
}
