package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.testkit.FaultRule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers of tables through the strict proxy: what is kept, what is sent, and what lost responses change. */
class TableTransferIT extends StorageTest {

    @TempDir
    Path folder;

    private Table<Entity> filled(int rows) {
        Table<Entity> table = freshTable(Entity.class);
        try (TableWriter<Entity> writer = table.writer()) {
            for (int i = 0; i < rows; i++) {
                writer.insert(Entity.builder("p %d'ä".formatted(i * 7 / rows), "r%05d".formatted(i))
                        .set("Large", Long.MAX_VALUE - i)
                        .set("Small", i)
                        .set("Real", i % 3 == 0 ? Double.NaN : i % 3 == 1 ? -0.0 : i / 3.0)
                        .set(
                                "Time",
                                Instant.parse("2026-11-28T10:11:12.0000001Z").plusSeconds(i))
                        .set("Id", new UUID(i, i))
                        .set("Bytes", new byte[i % 5])
                        .set("Text", i % 2 == 0 ? "" : null)
                        .build());
            }
        }
        return table;
    }

    private List<EntityDifference> differences(EntitySource first, EntitySource second) {
        try (Stream<EntityDifference> found = storage.tables().compare(first, second)) {
            return found.toList();
        }
    }

    @Test
    @DisplayName("a table comes back from its file, in transactions that are full")
    void roundTrip() {
        Table<Entity> source = filled(3_500);
        Table<Entity> target = freshTable(Entity.class);
        Path file = folder.resolve("table.jsonl.gz");

        TableTransferReport exported = storage.tables().export(source.name(), file);
        FaultRule counted = proxy().when(requests().path("**/$batch")).delayBefore(Duration.ZERO);
        TableTransferReport imported = storage.tables().importFrom(file, target.name());
        long transactions = counted.hits();
        counted.remove();

        assertThat(exported.read()).isEqualTo(3_500);
        assertThat(imported.written()).isEqualTo(3_500);
        assertThat(transactions).isEqualTo(35);
        assertThat(imported.checksum()).isEqualTo(exported.checksum());
        assertThat(differences(EntitySource.of(source), EntitySource.of(target)))
                .isEmpty();
        assertThat(differences(EntitySource.of(file), EntitySource.of(target))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"insertOnly", "merge", "replace", "replaceIfNewer"})
    @DisplayName("OUTCOME-1: with responses lost, a transfer loses no row and writes none twice")
    void lostResponses(String name) {
        Table<Entity> source = filled(1_400);
        Table<Entity> target = freshTable(Entity.class);
        Table<Entity> copy = freshTable(Entity.class);
        ImportMode mode =
                switch (name) {
                    case "insertOnly" -> ImportMode.insertOnly();
                    case "merge" -> ImportMode.merge();
                    case "replace" -> ImportMode.replace();
                    default -> ImportMode.replaceIfNewer("Small");
                };
        Path file = folder.resolve("table.jsonl");
        FaultRule lost = proxy().when(requests().every(7)).loseResponse();
        TableTransferReport imported;
        TableTransferReport copied;
        try {
            storage.tables().export(source.name(), file);
            imported = storage.tables().importFrom(file, target.name(), with -> with.mode(mode));
            copied = storage.tables().copy(source.name(), copy, with -> with.mode(mode));
        } finally {
            lost.remove();
        }

        assertThat(lost.hits()).isPositive();
        for (TableTransferReport report : List.of(imported, copied)) {
            assertThat(report.read()).isEqualTo(1_400);
            assertThat(report.written() + report.unchanged()).isEqualTo(1_400);
            assertThat(report.rejected()).isZero();
        }
        assertThat(target.query().list()).isEqualTo(source.query().list());
        assertThat(copy.query().list()).isEqualTo(source.query().list());
        assertThat(IntStream.range(0, 7).boxed().map("p %d'ä"::formatted))
                .allSatisfy(partition ->
                        assertThat(target.query().partition(partition).count()).isEqualTo(200));
    }
}
