package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The cost of a repair, and its continuation. */
class IndexRepairIT extends StorageTest {

    private static final int PARTITIONS = 4;
    private static final int ROWS = 60;

    private Table<Runner> table;
    private IndexedTable<Runner> runners;

    @BeforeEach
    void fill() {
        table = freshTable(Runner.class);
        runners = table.indexed(List.of(
                Index.text("NAME", Runner::name).unique(),
                Index.number("AGE", 3, Runner::age),
                Index.number("YEARS", 2, Runner::age).global()));
        try (TableWriter<Runner> writer = runners.writer()) {
            for (int i = 0; i < PARTITIONS * ROWS; i++) {
                writer.insert(Runner.of("race" + i % PARTITIONS, i));
            }
        }
    }

    /** The copy of a runner under the unique name. */
    private Entity copy(String race, int number) {
        return storage.table(table.name()).query().partition(race).rowPrefix("NAME:").list().stream()
                .filter(row -> ("Runner " + number).equals(row.get("name")))
                .findFirst()
                .orElseThrow();
    }

    private long reads(Runnable work) {
        proxy().clear();
        work.run();
        return proxy().recorded(requests().method("GET")).size();
    }

    @Test
    @DisplayName(
            "T11: a repair with nothing to do is one scan of the entities' partitions and one of each global index")
    void nothingToDoIsAScan() {
        long reads =
                reads(() -> assertThat(runners.repair()).isEqualTo(new IndexReport(PARTITIONS * ROWS, 0, 0, 0, 0)));

        assertThat(reads).isLessThanOrEqualTo(4);
    }

    @Test
    @DisplayName("T11: a repair looks closer only where rows differ")
    void looksWhereRowsDiffer() {
        Table<Entity> raw = storage.table(table.name());
        raw.delete(copy("race1", 201));
        raw.merge("race2", copy("race2", 202).rowKey()).set("age", 99).update();
        table.delete(Runner.of("race3", 7));

        long reads =
                reads(() -> assertThat(runners.repair()).isEqualTo(new IndexReport(PARTITIONS * ROWS - 1, 1, 2, 1, 0)));

        assertThat(reads).isLessThan(40);
        assertThat(runners.repair().clean()).isTrue();
    }

    @Test
    @DisplayName("T11: references that are missing or lead nowhere are found by their sums")
    void mendsReferences() {
        Table<Entity> raw = storage.table(table.name());
        Entity reference = raw.query().partition("YEARS:25").first().orElseThrow();
        raw.delete(reference);

        assertThat(runners.repair()).isEqualTo(new IndexReport(PARTITIONS * ROWS, 1, 0, 0, 0));
        assertThat(runners.repair().clean()).isTrue();
        table.delete(Runner.of("race3", 3));
        assertThat(runners.repair().removed())
                .as("its copies; the reference is too young")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("T11: a repair tells its progress and is continued from there")
    void continues() {
        Map<String, IndexReport> progress = new LinkedHashMap<>();
        storage.table(table.name()).delete(copy("race3", 203));

        assertThatThrownBy(() -> runners.repair((partition, report) -> {
                    progress.put(partition, report);
                    if (partition.equals("race1")) {
                        throw new IllegalStateException("broken off");
                    }
                }))
                .hasMessageContaining("broken off");
        assertThat(progress.keySet()).containsExactly("race0", "race1");
        assertThat(progress.get("race1").entities()).isEqualTo(2 * ROWS);

        progress.clear();
        assertThat(runners.reactive().repairFrom("race1", progress::put).block())
                .isEqualTo(new IndexReport(3 * ROWS, 1, 0, 0, 0));
        assertThat(progress.keySet()).containsExactly("race1", "race2", "race3");
        assertThat(runners.repair().clean()).isTrue();
    }
}
