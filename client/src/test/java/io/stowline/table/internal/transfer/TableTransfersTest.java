package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.NotFoundException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.table.Entity;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.internal.format.TableManifest;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntityDifference.Kind;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.PropertyKind;
import io.stowline.table.transfer.TableTransferProgress;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports, imports, copies and comparisons of tables of an account in memory. */
class TableTransfersTest {

    private final TransferBench bench = new TransferBench();
    private final TableTransfers tables = bench.storage.tables();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        bench.close();
    }

    private List<Entity> odd(int partitions, int rows, long seed) {
        Random random = new Random(seed);
        return IntStream.range(0, partitions * rows)
                .mapToObj(i -> TransferBench.odd("p%03d".formatted(i / rows), "r%05d".formatted(i % rows), random))
                .toList();
    }

    private List<EntityDifference> differences(EntitySource first, EntitySource second) {
        try (Stream<EntityDifference> found = tables.compare(first, second)) {
            return found.toList();
        }
    }

    private EntitySource table(String name) {
        return EntitySource.of(bench.storage.table(name));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void everyTypeComesBackExactly() throws IOException {
        bench.filled("source", odd(7, 330, 1));
        bench.table("target");
        Path file = folder.resolve("source.jsonl.gz");

        TableTransferReport exported = tables.export("source", file);
        TableTransferReport imported = tables.importFrom(file, "target");

        assertThat(exported.read()).isEqualTo(2_310);
        assertThat(exported.written()).isEqualTo(2_310);
        assertThat(imported.written()).isEqualTo(2_310);
        assertThat(imported.rejected()).isZero();
        assertThat(imported.checksum()).isEqualTo(exported.checksum());
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
        assertThat(differences(table("source"), table("target"))).isEmpty();
        assertThat(differences(table("source"), EntitySource.of(file))).isEmpty();
        assertThat(files(folder)).containsExactly(file, TableManifest.beside(file));
    }

    @Test
    void theManifestCountsPartitions() throws IOException {
        bench.filled("source", odd(3, 25, 2));
        Path file = folder.resolve("source.jsonl");

        TableTransferReport report = tables.export("source", file);

        List<String> lines = Files.readAllLines(TableManifest.beside(file));
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .contains(
                        "\"Rows\":\"75\"",
                        "\"Table\":\"source\"",
                        report.checksum().orElseThrow());
        assertThat(lines.get(2)).contains("\"p001\"", "\"Rows\":\"25\"");
        TableManifest manifest = TableManifest.of(file);
        assertThat(manifest).isNotNull();
        assertThat(manifest.rows()).isEqualTo(75);
        assertThat(Files.readAllLines(file)).hasSize(75).isSorted();
    }

    @Test
    void transactionsAreFull() {
        bench.filled("source", odd(3, 1_010, 3));
        bench.table("target");
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        long before = bench.requests("POST", "$batch");

        tables.importFrom(file, "target");

        assertThat(bench.requests("POST", "$batch") - before).isEqualTo(33);
    }

    @Test
    void aFileInAnyOrderIsSorted() throws IOException {
        bench.filled("source", odd(9, 110, 4));
        bench.table("target");
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        Collections.shuffle(lines, new Random(5));
        Path shuffled = Files.write(folder.resolve("shuffled.jsonl"), lines);
        long before = bench.requests("POST", "$batch");

        TableTransferReport report = tables.importFrom(shuffled, "target");

        assertThat(report.written()).isEqualTo(990);
        assertThat(bench.requests("POST", "$batch") - before).isEqualTo(18);
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
        assertThat(differences(EntitySource.of(file), EntitySource.of(shuffled)))
                .isEmpty();
    }

    @Test
    @DisplayName("MOVE-3: a refused row goes to a file with its reason, and stops nothing else")
    void rejectedRowsGoToAFileAndTheRestGoesOn() throws IOException {
        bench.table("target");
        Path file = Files.write(
                folder.resolve("rows.jsonl"),
                List.of(
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"1\",\"X\":5}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"2\",\"X\":",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"3/4\",\"X\":5}",
                        "{\"PartitionKey\":\"a\"}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"5\",\"X@odata.type\":\"Edm.Int64\",\"X\":\"five\"}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"6\",\"bad name\":\"x\"}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"7\"}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"7\",\"X\":1}",
                        "{\"PartitionKey\":\"" + "z".repeat(70_000) + "\",\"RowKey\":\"7\"}",
                        "{\"PartitionKey\":\"A\",\"RowKey\":\"9\"}",
                        ""));

        TableTransferReport report = tables.importFrom(file, "target");

        assertThat(report.read()).isEqualTo(10);
        assertThat(report.written()).isEqualTo(3);
        assertThat(report.rejected()).isEqualTo(7);
        assertThat(bench.content("target")).hasSize(3);
        assertThat(Files.readAllLines(folder.resolve("rows.jsonl.rejected.jsonl")))
                .hasSize(7)
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith("{\"Line\":2,"),
                        line -> assertThat(line).startsWith("{\"Line\":3,").contains("RowKey"),
                        line -> assertThat(line).startsWith("{\"Line\":4,").contains("RowKey"),
                        line -> assertThat(line).startsWith("{\"Line\":5,").contains("X"),
                        line -> assertThat(line).startsWith("{\"Line\":6,").contains("bad name"),
                        line -> assertThat(line).startsWith("{\"Line\":8,").contains("same keys, that of line 7"),
                        line -> assertThat(line).startsWith("{\"Line\":9,").contains("1024"));
    }

    @Test
    @DisplayName("MOVE-3: a row of a foreign file without an id is rejected and replaces no other one")
    void emptyKeysOfAForeignFileAreRejected() throws IOException {
        bench.table("target");
        Path file = Files.write(
                folder.resolve("rows.csv"),
                List.of("RowKey,PartitionKey,Name", "1,a,x", ",a,y", ",a,z", "\"\",b,quoted", "2,,w", "3,a,v"));

        TableTransferReport report = tables.importFrom(file, "target", i -> i.column("Name", PropertyKind.STRING));

        assertThat(report.written()).isEqualTo(2);
        assertThat(Files.readAllLines(folder.resolve("rows.csv.rejected.jsonl")))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith("{\"Line\":3,")
                                .contains("the RowKey is empty", "allowEmptyKeys"),
                        line -> assertThat(line).startsWith("{\"Line\":4,").contains("the RowKey is empty"),
                        line -> assertThat(line).startsWith("{\"Line\":5,").contains("the RowKey is empty"),
                        line -> assertThat(line).startsWith("{\"Line\":6,").contains("the PartitionKey is empty"));
        assertThat(bench.content("target")).hasSize(2);
    }

    @Test
    @DisplayName("MOVE-3: empty keys are imported on request, and a row that repeats another one names its line")
    void emptyKeysAreAllowed() throws IOException {
        bench.table("target");
        Path file = Files.write(
                folder.resolve("rows.jsonl"),
                List.of(
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"1\"}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"\"}",
                        "{\"PartitionKey\":\"\",\"RowKey\":\"1\"}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"\",\"X\":1}",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"\",\"X\":2}"));

        TableTransferReport report = tables.importFrom(file, "target", i -> i.allowEmptyKeys());

        assertThat(report.written()).isEqualTo(3);
        assertThat(Files.readAllLines(folder.resolve("rows.jsonl.rejected.jsonl")))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith("{\"Line\":4,").contains("that of line 2"),
                        line -> assertThat(line).startsWith("{\"Line\":5,").contains("that of line 2"));
    }

    @Test
    @DisplayName("MOVE-2: empty keys of an export are imported again, and without its manifest they are rejected")
    void emptyKeysOfAnExportComeBack() throws IOException {
        bench.filled(
                "source",
                List.of(
                        Entity.builder("", "").set("X", 1).build(),
                        Entity.builder("a", "").set("X", 2).build(),
                        Entity.builder("a", "1").set("X", 3).build()));
        bench.table("target");
        Path file = folder.resolve("rows.jsonl");
        tables.export("source", file);

        assertThat(tables.importFrom(file, "target").written()).isEqualTo(3);
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));

        Files.delete(folder.resolve("rows.jsonl.manifest"));
        assertThat(tables.importFrom(file, "target").rejected()).isEqualTo(2);
    }

    @Test
    void aRowThatCannotBeReadEndsAComparison() throws IOException {
        bench.table("target");
        Path file = Files.write(folder.resolve("rows.jsonl"), List.of("{\"PartitionKey\":\"a\"}"));

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> differences(EntitySource.of(file), table("target")))
                .withMessageContaining("line 1");
    }

    @Test
    void insertOnlyKeepsWhatExists() {
        bench.filled("source", odd(2, 150, 6));
        Table<Entity> target = bench.table("target");
        Entity other = Entity.builder("p000", "r00007").set("Text", "mine").build();
        target.insert(other);
        target.insert(TransferBench.odd("p001", "r00149", new Random(0)));
        bench.storage.table("source").find("p000", "r00040").ifPresent(equal -> target.insert(equal.value()));
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);

        TableTransferReport report = tables.importFrom(file, "target", with -> with.mode(ImportMode.insertOnly()));

        assertThat(report.written()).isEqualTo(297);
        assertThat(report.unchanged()).isEqualTo(1);
        assertThat(report.rejected()).isEqualTo(2);
        assertThat(target.find("p000", "r00007").orElseThrow().value()).isEqualTo(other);
        assertThat(differences(table("source"), table("target")))
                .extracting(EntityDifference::rowKey)
                .containsExactly("r00007", "r00149");
        assertThat(tables.importFrom(file, "target", with -> with.mode(ImportMode.insertOnly()))
                        .unchanged())
                .isEqualTo(298);
    }

    @Test
    void theNewerOneStays() {
        Table<Entity> target = bench.table("target");
        target.insert(
                Entity.builder("p", "older").set("Version", 1L).set("Old", true).build());
        target.insert(Entity.builder("p", "newer").set("Version", 9L).build());
        target.insert(Entity.builder("p", "other").set("Version", 9).build());
        bench.filled(
                "source",
                List.of(
                        Entity.builder("p", "absent").set("Version", 5L).build(),
                        Entity.builder("p", "newer").set("Version", 5L).build(),
                        Entity.builder("p", "none").set("X", 5L).build(),
                        Entity.builder("p", "older").set("Version", 5L).build(),
                        Entity.builder("p", "other").set("Version", 5L).build()));

        TableTransferReport report =
                tables.copy("source", target, with -> with.mode(ImportMode.replaceIfNewer("Version")));

        assertThat(report.written()).isEqualTo(2);
        assertThat(report.unchanged()).isEqualTo(1);
        assertThat(report.rejected()).isEqualTo(2);
        assertThat(target.find("p", "older").orElseThrow().value().properties()).containsOnlyKeys("Version");
    }

    @Test
    void mergeKeepsOtherProperties() {
        Table<Entity> target = bench.table("target");
        target.insert(Entity.builder("p", "1").set("Mine", true).build());
        bench.filled("source", List.of(Entity.builder("p", "1").set("X", 5L).build()));

        tables.copy("source", target, with -> with.mode(ImportMode.merge()));

        assertThat(target.find("p", "1").orElseThrow().value().properties()).containsOnlyKeys("Mine", "X");
    }

    @Test
    void copiesOfSeveralRangesAreWhole() {
        bench.filled("source", odd(40, 60, 7));
        bench.filled("single", odd(1, 2_500, 8));
        for (String source : List.of("source", "single")) {
            TableTransferReport report = tables.copy(source, bench.table(source + "copy"));

            assertThat(report.written()).isEqualTo(report.read());
            assertThat(bench.content(source + "copy")).isEqualTo(bench.content(source));
        }
    }

    @Test
    void comparisonsFindEachKindOfDifference() {
        List<Entity> entities = odd(5, 40, 9);
        bench.filled("first", entities);
        Table<Entity> second = bench.filled("second", entities);
        second.delete("p001", "r00003");
        second.insert(Entity.builder("p001", "r00003x").build());
        second.insertOrMerge(Entity.builder("p004", "r00039").set("More", 1).build());

        assertThat(differences(table("first"), table("second")))
                .extracting(EntityDifference::kind)
                .containsExactly(Kind.ONLY_IN_FIRST, Kind.ONLY_IN_SECOND, Kind.DIFFERENT);
        assertThat(differences(table("first"), table("second")).get(2).properties())
                .containsExactly("More");
    }

    @Test
    void csvKeepsTypesInColumnsBesideTheValues() throws IOException {
        bench.filled("source", odd(3, 40, 10));
        bench.table("target");
        Path file = folder.resolve("source.csv.gz");
        String[] columns = {"Text", "Bool", "Small", "Large", "Real", "Time", "Id", "Bytes"};

        tables.export("source", file, with -> with.select(columns));
        tables.importFrom(file, "target");

        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
    }

    @Test
    @DisplayName("a file of selected properties has the Timestamp of each entity")
    void timestampsOfSelectedProperties() throws IOException {
        bench.filled("source", odd(1, 3, 10));
        for (String name : List.of("source.csv", "source.jsonl")) {
            Path file = folder.resolve(name);

            tables.export("source", file, with -> with.select("Bool"));

            assertThat(Files.readAllLines(file))
                    .filteredOn(row -> row.contains("r0000"))
                    .hasSize(3)
                    .allMatch(row -> row.matches(".*r0000.*\\d{4}-\\d\\d-\\d\\dT.*Z.*"));
        }
    }

    @Test
    void aCopyOfSelectedPropertiesComparesTheTimestamp() {
        bench.filled("source", odd(1, 3, 24));

        TableTransferReport copied = tables.copy("source", bench.table("target"), with -> with.select("Id")
                .mode(ImportMode.replaceIfNewer("Timestamp")));

        assertThat(copied.written()).isEqualTo(3);
    }

    @Test
    void csvColumnsAreDeclared() throws IOException {
        bench.table("target");
        Path file = Files.writeString(
                folder.resolve("runners.csv"),
                "PartitionKey,RowKey,name,age\r\nfull,1,\"Ann, \"\"A\"\"\nB\",41\r\nfull,2,,x\r\nfull,3,\"\",7\r\n");

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> tables.importFrom(file, "target"))
                .withMessageContaining("column name has no type");
        TableTransferReport report = tables.importFrom(
                file, "target", with -> with.column("name", PropertyKind.STRING).column("age", PropertyKind.INT32));

        assertThat(report.written()).isEqualTo(2);
        assertThat(report.rejected()).isEqualTo(1);
        assertThat(bench.storage.table("target").query().list())
                .containsExactly(
                        Entity.builder("full", "1")
                                .set("name", "Ann, \"A\"\nB")
                                .set("age", 41)
                                .build(),
                        Entity.builder("full", "3")
                                .set("name", "")
                                .set("age", 7)
                                .build());
    }

    @Test
    @DisplayName("MOVE-3: rows of a CSV file that is not UTF-8 are rejected with the byte, and end a comparison")
    void csvThatIsNotUtf8() throws IOException {
        bench.table("target");
        byte[] bytes = "PartitionKey,RowKey,name\np,Jörg,a\np,Järg,b\np,c,Jörg\np,d,good\n"
                .getBytes(StandardCharsets.ISO_8859_1);
        Path file = Files.write(folder.resolve("latin.csv"), bytes);

        TableTransferReport report = tables.importFrom(file, "target", i -> i.column("name", PropertyKind.STRING));

        assertThat(report.read()).isEqualTo(4);
        assertThat(report.written()).isEqualTo(1);
        assertThat(report.rejected()).isEqualTo(3);
        assertThat(Files.readString(folder.resolve("latin.csv.rejected.jsonl")))
                .contains("the row is not UTF-8, at its byte 3", "at its byte 5")
                .contains("\"Bytes\":\""
                        + Base64.getEncoder().encodeToString("p,Jörg,a".getBytes(StandardCharsets.ISO_8859_1)))
                .doesNotContain("\uFFFD");
        assertThat(bench.content("target")).hasSize(1);
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> {
                    try (Stream<EntityDifference> found = tables.compare(
                            table("target"), EntitySource.of(file), i -> i.column("name", PropertyKind.STRING))) {
                        found.forEach(each -> {});
                    }
                })
                .withMessageContaining("not UTF-8, at its byte");

        Path header = Files.write(
                folder.resolve("header.csv"), "PartitionKey,RowKey,Größe\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> tables.importFrom(header, "target"))
                .withMessageContaining("not UTF-8, at its byte 22");
    }

    @Test
    @DisplayName("MOVE-3: a rejected row that is not UTF-8 is rejected again, and never imported with other characters")
    void rejectedRowsKeepTheirBytes() throws IOException {
        bench.table("target");
        Path file = Files.write(
                folder.resolve("latin.jsonl"),
                "{\"PartitionKey\":\"p\",\"RowKey\":\"Jörg\"}\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(tables.importFrom(file, "target").rejected()).isEqualTo(1);
        TableTransferReport again = tables.importFrom(folder.resolve("latin.jsonl.rejected.jsonl"), "target");

        assertThat(again.rejected()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("latin.jsonl.rejected.jsonl.rejected.jsonl")))
                .contains("not UTF-8");
        assertThat(bench.content("target")).isEmpty();
    }

    @Test
    @DisplayName("MOVE-3: a quote that is out of place in a CSV file concerns its row only")
    void strayQuotesOfCsv() throws IOException {
        bench.table("target");
        StringBuilder rows = new StringBuilder("PartitionKey,RowKey,name,age\np,0,pipe 5\" wide,1\n");
        for (int i = 1; i <= 1_000; i++) {
            rows.append("p,").append(i).append(",good,").append(i).append('\n');
        }
        rows.append("p,esc,\"x\\\"y\",1\np,open,\"pipe 5,1\np,last,good,2\np,plus,a,+6\np,other,a,\u0663\n");
        Path file = Files.writeString(folder.resolve("inch.csv"), rows);

        TableTransferReport report = tables.importFrom(
                file, "target", i -> i.column("name", PropertyKind.STRING).column("age", PropertyKind.INT32));

        assertThat(report.read()).isEqualTo(1_006);
        assertThat(report.written()).isEqualTo(1_002);
        assertThat(report.rejected()).isEqualTo(4);
        assertThat(Files.readString(folder.resolve("inch.csv.rejected.jsonl")))
                .contains("field 3: text follows the closing quote", "field 3: its quote is not closed")
                .contains("{\"Line\":1003,", "{\"Line\":1004,", "{\"Line\":1006,", "{\"Line\":1007,");
    }

    @Test
    void aColumnWithoutANameIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("comma.csv"), "PartitionKey,RowKey,\np,1,\n");

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> tables.importFrom(file, "target"))
                .withMessageContaining("column 3 of the 3 in the header has no name");
    }

    @Test
    void filesOfAzCopyAreRead() throws IOException {
        bench.table("target");
        String row =
                "{\"PartitionKey\":\"p\",\"RowKey\":\"%s\",\"Timestamp@odata.type\":\"Edm.DateTime\",\"Timestamp\":\"2018-05-28T03:06:11.6482709Z\",\n"
                        + "  \"Size@odata.type\":\"Edm.Int64\",\"Size\":\"7\",\"Text\":\"}{\"}";
        Files.writeString(
                folder.resolve("acc_Board_20180528_0_AB12.json"),
                "{\"odata.metadata\":\"https://x/$metadata#Board\",\"value\":[" + row.formatted("1") + ","
                        + row.formatted("2") + "]}");
        Files.writeString(folder.resolve("acc_Board_20180528_1_CD34.json"), "[" + row.formatted("3") + "]");
        Path manifest = Files.writeString(
                folder.resolve("acc_Board.manifest"),
                "{\"Version\":2,\"PayloadFormat\":\"Json\",\"Checksum\":15564613245429458971,\"AccountName\":\"acc\","
                        + "\"TableName\":\"Board\",\"SplitSize\":200000,\"TotalDataFiles\":2}");

        assertThat(tables.importFrom(manifest, "target").written()).isEqualTo(3);
        assertThat(bench.storage.table("target").query().list())
                .hasSize(3)
                .first()
                .isEqualTo(Entity.builder("p", "1")
                        .set("Size", 7L)
                        .set("Text", "}{")
                        .build());
        Files.delete(folder.resolve("acc_Board_20180528_1_CD34.json"));
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> tables.importFrom(manifest, "target"))
                .withMessageContaining("2 data files");
    }

    @Test
    void scopesNarrowATransfer() throws IOException {
        bench.filled("source", odd(12, 20, 11));
        Path file = folder.resolve("part.jsonl");

        assertThat(tables.export("source", file, with -> with.partitionPrefix("p00")
                                .rowPrefix("r0000"))
                        .read())
                .isEqualTo(100);
        assertThat(tables.export("source", file, with -> with.overwrite()
                                .partition("p003")
                                .where(Filter.property("Bool").isTrue())
                                .select("Bool"))
                        .read())
                .isBetween(1L, 19L);
        assertThat(Files.readAllLines(file)).allMatch(line -> line.endsWith("\"Bool\":true}"));
    }

    @Test
    void conditionsAndPropertiesNarrowAnImport() throws IOException {
        bench.filled("source", odd(5, 40, 21));
        Table<Entity> target = bench.table("target");
        Path file = folder.resolve("source.jsonl.gz");
        tables.export("source", file);
        Filter filter = Filter.property("Bool").isTrue().and(Filter.rowKey().atLeast("r00010"));
        List<Entity> expected = bench.storage
                .table("source")
                .withScanPolicy(ScanPolicy.ALLOW)
                .query()
                .where(filter)
                .select("Bool", "Real")
                .list();

        TableTransferReport report =
                tables.importFrom(file, "target", with -> with.where(filter).select("Bool", "Real"));

        assertThat(report).returns((long) expected.size(), TableTransferReport::written);
        assertThat(target.withScanPolicy(ScanPolicy.ALLOW).query().list()).isEqualTo(expected);
        try (Stream<EntityDifference> found =
                tables.compare(table("target"), EntitySource.of(file), with -> with.where(filter)
                        .select("Bool", "Real"))) {
            assertThat(found).isEmpty();
        }
        long before = bench.memory.requests().size();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> tables.importFrom(file, "target", with -> with.where(Filter.raw("startswith(Text,'a')"))))
                .withMessageContaining("the function startswith");
        assertThat(bench.memory.requests()).hasSize((int) before);
        assertThat(files(folder)).hasSize(2);
    }

    @Test
    void aModeNeedsItsPropertyAmongTheSelectedOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.copy(
                        "source", bench.table("target"), with -> with.mode(ImportMode.replaceIfNewer("Version"))
                                .select("Text")))
                .withMessageContaining("Version");
    }

    @Test
    void aComparisonDividesAPartitionByItsRowKeys() {
        List<Entity> entities = odd(1, 3_000, 22);
        bench.filled("first", entities);
        Table<Entity> second = bench.filled("second", entities);
        second.delete("p000", "r01234");
        second.insertOrMerge(Entity.builder("p000", "r02999x").build());

        assertThat(differences(table("first"), table("second")))
                .extracting(EntityDifference::rowKey)
                .containsExactly("r01234", "r02999x");
        assertThat(bench.memory.requests())
                .filteredOn(request -> request.contains("second()") && !request.contains("$top=1"))
                .filteredOn(request -> request.contains("RowKey lt"))
                .hasSizeGreaterThan(4);
    }

    @Test
    void aComparisonShowsItsProgressAndKeepsItsRate() throws IOException {
        bench.filled("source", odd(4, 250, 23));
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        List<TableTransferProgress> seen = new ArrayList<>();
        long began = System.nanoTime();

        try (Stream<EntityDifference> found = tables.compare(
                table("source"), EntitySource.of(file), with -> with.rate(2_000).progress(seen::add))) {
            assertThat(found).isEmpty();
        }

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(450));
        assertThat(seen).hasSizeGreaterThan(2);
        assertThat(seen).extracting(TableTransferProgress::fraction).isSorted().allMatch(share -> share <= 1);
        assertThat(seen.get(seen.size() - 1))
                .returns(1_000L, TableTransferProgress::rows)
                .returns(1.0, TableTransferProgress::fraction)
                .returns(Optional.of(Duration.ZERO), TableTransferProgress::timeLeft);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.compare(table("source"), table("source"), with -> with.dryRun()))
                .withMessageContaining("compare takes no dryRun");
    }

    @Test
    void progressEndsAtOne() {
        bench.filled("source", odd(4, 500, 12));
        List<TableTransferProgress> seen = new ArrayList<>();
        Path file = folder.resolve("source.jsonl");

        tables.export("source", file, with -> with.progress(seen::add));
        assertThat(seen).isNotEmpty();
        assertThat(seen.get(seen.size() - 1).fraction()).isEqualTo(1);
        assertThat(seen.get(seen.size() - 1).timeLeft()).contains(Duration.ZERO);
        assertThat(seen.get(seen.size() - 1).rows()).isEqualTo(2_000);
    }

    @Test
    void anImportShowsRowsThatAreCertain() {
        bench.filled("source", odd(30, 100, 14));
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        bench.table("target");
        List<TableTransferProgress> seen = new ArrayList<>();

        tables.importFrom(
                file, "target", with -> with.parallelism(2).rate(8_000).progress(now -> {
                    assertThat(now.rows())
                            .isLessThanOrEqualTo(bench.content("target").size());
                    seen.add(now);
                }));

        assertThat(seen).hasSizeGreaterThan(2).allSatisfy(now -> assertThat(now.fraction())
                .isEqualTo(now.rows() / 3_000.0));
        assertThat(seen.get(seen.size() - 1).rows()).isEqualTo(3_000);
    }

    @Test
    void conditionsOnOddDoublesFindTheSameRowsInBoth() {
        bench.filled("source", odd(4, 100, 16));
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);
        FilterProperty real = Filter.property("Real");
        for (Filter where : List.of(
                real.notEqualTo(0.1), real.atLeast(0.1).not(), real.atMost(-0.0), real.lessThan(Double.MAX_VALUE))) {
            try (Stream<EntityDifference> found =
                    tables.compare(table("source"), EntitySource.of(file), with -> with.where(where))) {
                assertThat(found).as(where.toString()).isEmpty();
            }
        }
    }

    @Test
    void aMissingTableLeavesNoState() {
        Path file = folder.resolve("source.jsonl");
        for (int parallelism : new int[] {1, 4}) {
            assertThatExceptionOfType(NotFoundException.class)
                    .isThrownBy(() -> tables.export("missing", file, with -> with.parallelism(parallelism)));
            assertThat(folder).isEmptyDirectory();
        }
        bench.filled("source", odd(2, 50, 15));
        tables.export("source", file);
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> tables.importFrom(file, "missing"));
        assertThat(folder.resolve("source.jsonl.import")).doesNotExist();
        Path state = folder.resolve("copy");
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> tables.copy("missing", bench.table("target"), with -> with.state(state)));
        assertThat(state).doesNotExist();
    }

    @Test
    void aDryRunWritesNothing() throws IOException {
        bench.filled("source", odd(4, 50, 13));
        bench.table("target");
        Path file = folder.resolve("source.jsonl");

        assertThat(tables.export("source", file, with -> with.dryRun()))
                .returns(200L, TableTransferReport::read)
                .returns(200L, TableTransferReport::written);
        assertThat(files(folder)).isEmpty();
        tables.export("source", file);
        assertThat(tables.importFrom(file, "target", with -> with.dryRun()).written())
                .isEqualTo(200);
        assertThat(tables.copy("source", bench.table("target"), with -> with.dryRun())
                        .written())
                .isEqualTo(200);
        assertThat(bench.content("target")).isEmpty();
    }

    @Test
    void badInputIsRefusedBeforeSending() throws IOException {
        Path file = folder.resolve("source.jsonl");
        long before = bench.memory.requests().size();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.export("source", folder.resolve("source.xml")))
                .withMessageContaining(".jsonl");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.export("source", file, with -> with.mode(ImportMode.merge())))
                .withMessageContaining("export takes no mode");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.export("source", folder.resolve("source.csv")))
                .withMessageContaining("select");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.export("source", folder.resolve("source.json")))
                .withMessageContaining(".jsonl");
        Files.writeString(file, "mine");
        assertThatIllegalStateException()
                .isThrownBy(() -> tables.export("source", file))
                .withMessageContaining("set overwrite");
        assertThat(bench.memory.requests()).hasSize((int) before);
        assertThat(file).content().isEqualTo("mine");
    }

    @Test
    void aMissingTableIsAnError() {
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> tables.export("missing", folder.resolve("missing.jsonl")));
    }

    @Test
    void anEmptyTableIsAnEmptyFile() throws IOException {
        bench.table("empty");
        bench.table("target");
        for (String name : List.of("empty.jsonl", "empty.jsonl.gz")) {
            Path file = folder.resolve(name);
            assertThat(tables.export("empty", file).read()).isZero();
            assertThat(tables.importFrom(file, "target").read()).isZero();
            assertThat(differences(table("empty"), EntitySource.of(file))).isEmpty();
        }
    }

    @Test
    void timestampsAreKeptForReading() throws IOException {
        bench.filled("source", List.of(Entity.builder("p\"", "r\"").set("X", 1).build()));
        bench.table("target");
        Path file = folder.resolve("source.jsonl");
        tables.export("source", file);

        assertThat(Files.readString(file))
                .startsWith("{\"PartitionKey\":\"p\\\"\",\"RowKey\":\"r\\\"\",\"Timestamp\":\"2");
        tables.importFrom(file, "target");
        assertThat(differences(table("source"), table("target"))).isEmpty();
    }
}
