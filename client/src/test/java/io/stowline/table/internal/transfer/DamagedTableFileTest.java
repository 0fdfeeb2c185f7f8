package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.AuthenticationException;
import io.stowline.table.Entity;
import io.stowline.table.internal.format.TableManifest;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.PropertyKind;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransfers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are cut, changed or damaged: an error names the file and the place, and rows that can be read are written (MOVE-3). */
class DamagedTableFileTest {

    private static final String NO_ROWS = "0".repeat(64);

    private final TransferBench bench = new TransferBench();
    private final TableTransfers tables = bench.storage.tables();

    @TempDir
    Path folder;

    @BeforeEach
    void makeTarget() {
        bench.table("target");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static String row(String key, String properties) {
        return "{\"PartitionKey\":\"p\",\"RowKey\":\"" + key + "\"" + properties + "}\n";
    }

    private static String rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> row("%05d".formatted(i), ",\"A\":" + i * 7_919))
                .collect(Collectors.joining());
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private Path exported(String name) {
        bench.filled(
                "source",
                IntStream.range(0, 40)
                        .mapToObj(i -> Entity.builder("p", "%03d".formatted(i))
                                .set("A", 100 + i)
                                .build())
                        .toList());
        Path file = folder.resolve(name);
        tables.export("source", file);
        return file;
    }

    private List<EntityDifference> differences(Path file) {
        try (Stream<EntityDifference> found =
                tables.compare(EntitySource.of(bench.table("target")), EntitySource.of(file))) {
            return found.toList();
        }
    }

    private void unreadable(Path file, String reason) {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> tables.importFrom(file, "target"))
                .withMessageContaining(file.toString())
                .withMessageContaining(reason);
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> differences(file))
                .withMessageContaining(file.toString())
                .withMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 10, 100, 400, -8, -1})
    void aCutGzipNamesTheFileAndTheLine(int cut) throws IOException {
        byte[] whole = gzip(rows(300));
        Path file =
                Files.write(folder.resolve("rows.jsonl.gz"), Arrays.copyOf(whole, cut < 0 ? whole.length + cut : cut));

        unreadable(file, "cannot be read at line ");
    }

    @Test
    void whatIsNoGzipNamesTheFile() throws IOException {
        unreadable(Files.writeString(folder.resolve("rows.jsonl.gz"), rows(3)), "at line 1, near byte ");
    }

    @Test
    void aDamagedMemberIsNotTheEndOfAGzip() throws IOException {
        byte[] first = gzip(rows(3));
        byte[] second = gzip(row("9", ""));
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        Path file = Files.write(folder.resolve("rows.jsonl.gz"), both);
        assertThat(tables.importFrom(file, "target").written()).isEqualTo(4);

        both[first.length] ^= 1;
        Files.write(file, both);

        unreadable(file, "other bytes behind its end");
    }

    @Test
    void aHeaderWithoutKeysNamesTheFile() throws IOException {
        unreadable(Files.writeString(folder.resolve("rows.csv"), "A,B\n"), "needs the columns PartitionKey");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowThatIsTooLongIsRejectedWithItsBeginning(boolean ordered) throws IOException {
        String tooLong = row("b", ",\"A\":\"" + "x".repeat(5 << 20) + "\"");
        Path file = Files.writeString(
                folder.resolve("rows.jsonl"),
                ordered ? row("a", "") + tooLong + row("c", "") : row("c", "") + tooLong + row("a", ""));

        TableTransferReport report = tables.importFrom(file, "target");

        assertThat(report)
                .returns(3L, TableTransferReport::read)
                .returns(2L, TableTransferReport::written)
                .returns(1L, TableTransferReport::rejected);
        assertThat(bench.content("target")).hasSize(2);
        String rejected = Files.readString(folder.resolve("rows.jsonl.rejected.jsonl"));
        assertThat(rejected)
                .startsWith("{\"Line\":2,\"Length\":" + (tooLong.length() - 1) + ",\"Reason\":\"the row has ")
                .contains("and may have 4194304", "\\\"RowKey\\\":\\\"b\\\"")
                .hasLineCount(1)
                .hasSizeLessThan(2_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "[{\"PartitionKey\":\"p\",\"RowKey\":\"a\"}",
                "[{\"PartitionKey\":\"p\",\"RowKey\":\"a\"},",
                "{\"value\":[{\"PartitionKey\":\"p\",\"RowKey\":\"a\"}",
                "[{\"PartitionKey\":\"p\",\"RowKey\":\"a\"}] junk",
                "[{\"PartitionKey\":\"p\",\"RowKey\":\"a\"}]{\"PartitionKey\":\"p\",\"RowKey\":\"b\"}"
            })
    void anArrayEndsWhereItsBracketStands(String text) throws IOException {
        unreadable(Files.writeString(folder.resolve("rows.json"), text), "cannot be read at line 1");
        assertThat(bench.content("target")).isEmpty();
    }

    @Test
    void ofEqualKeysTheFirstRowIsCompared() throws IOException {
        Path file = Files.writeString(
                folder.resolve("rows.jsonl"), row("a", ",\"A\":1") + row("a", ",\"A\":2") + row("b", ""));

        tables.importFrom(file, "target");

        assertThat(differences(file)).isEmpty();
    }

    @Test
    void columnsOfOtherFilesAreRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.jsonl"), row("a", ""));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.importFrom(file, "target", with -> with.column("A", PropertyKind.INT32)))
                .withMessageContaining("rows.jsonl");
    }

    @Test
    void aDamagedStateIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.jsonl"), rows(150));
        bench.memory.refuseNext("POST", "$batch", 403, "AuthorizationFailure");
        assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> tables.importFrom(file, "target"));
        Path state = folder.resolve("rows.jsonl.import").resolve("state.jsonl");
        byte[] whole = Files.readAllBytes(state);

        for (int i = 0; i < whole.length; i += 7) {
            byte[] flipped = whole.clone();
            flipped[i] ^= 1;
            for (byte[] damaged : List.of(flipped, Arrays.copyOf(whole, i))) {
                Files.write(state, damaged);
                assertThatIllegalStateException()
                        .isThrownBy(() -> tables.importFrom(file, "target"))
                        .withMessageContaining(state.getParent().toString())
                        .withMessageContaining("delete the folder");
            }
        }
        Files.write(state, whole);
        assertThat(tables.importFrom(file, "target").read()).isEqualTo(150);
    }

    @Test
    void rejectedRowsAreNotInTheChecksum() throws IOException {
        String properties = IntStream.range(0, 17)
                .mapToObj(i -> ",\"A%d\":\"%s\"".formatted(i, "x".repeat(32_768)))
                .collect(Collectors.joining());
        Path file = Files.writeString(folder.resolve("rows.jsonl"), row("a", properties));

        TableTransferReport report = tables.importFrom(file, "target");

        assertThat(report.rejected()).isEqualTo(1);
        assertThat(report.checksum()).contains(NO_ROWS);
    }

    @Test
    void aFileOfAnotherLengthThanItsManifestIsRefused() throws IOException {
        Path file = exported("rows.jsonl");
        List<String> lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, 30));

        unreadable(file, TableManifest.beside(file).toString());
        assertThat(bench.content("target")).isEmpty();
        Files.delete(TableManifest.beside(file));
        assertThat(tables.importFrom(file, "target").written()).isEqualTo(30);
    }

    @Test
    void aChangedRowIsFoundByTheChecksumOfTheManifest() throws IOException {
        Path file = exported("rows.jsonl");
        Files.writeString(file, Files.readString(file).replace("\"A\":117", "\"A\":171"));

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> tables.importFrom(file, "target"))
                .withMessageContaining("checksum")
                .withMessageContaining(file.toString());
        assertThat(tables.importFrom(file, "target", with -> with.partition("p"))
                        .written())
                .isEqualTo(40);
    }

    @Test
    void aPropertyOrAKeyTwiceRejectsTheRow() throws IOException {
        Path file = Files.writeString(
                folder.resolve("rows.jsonl"),
                row("a", ",\"A\":1,\"A\":2")
                        + row("b", ",\"RowKey\":\"c\"")
                        + row("d", ",\"PartitionKey\":\"q\"")
                        + row("e", ",\"A\":1,\"A\":null")
                        + row("f", ",\"a\":1,\"A\":1"));

        assertThat(tables.importFrom(file, "target").rejected()).isEqualTo(4);
        assertThat(bench.content("target")).hasSize(1);
        assertThat(Files.readAllLines(folder.resolve("rows.jsonl.rejected.jsonl")))
                .allMatch(line -> line.contains(" twice"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"Timestamp\":\"\\ud83d\"",
                ",\"A@odata.type\":\"\\ud83d\",\"A\":1",
                ",\"A@odata.type\":\"Edm.Int64\",\"A\":\"\\ud83d\"",
                ",\"A@odata.type\":\"Edm.Guid\",\"A\":\"\\ude00\\ud83d\"",
                ",\"A\":\"\\ud83d\""
            })
    @DisplayName(
            "MOVE-3: a row with half a character is rejected with a reason that a file can hold, and the rest goes on")
    void halvesOfCharacters(String properties) throws IOException {
        Path file = Files.writeString(folder.resolve("rows.jsonl"), row("a", "") + row("b", properties) + row("c", ""));

        assertThat(tables.importFrom(file, "target").rejected()).isEqualTo(1);
        assertThat(bench.content("target")).hasSize(2);
        assertThat(Files.readString(folder.resolve("rows.jsonl.rejected.jsonl")))
                .startsWith("{\"Line\":2,\"Reason\":\"")
                .endsWith("}\"}\n")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Edm.Int64 | true",
                "Edm.String | false",
                "Edm.Double | true",
                "Edm.Binary | true",
                "Edm.DateTime | false",
                "Edm.Guid | true",
                "Edm.String | 5",
                "Edm.Binary | 1e2",
                "Edm.Binary | \"05\"",
                "Edm.Binary | \"AQJ=\"",
                "Edm.DateTime | \"2020-01-01T00:00:00.12345678Z\""
            })
    @DisplayName("MOVE-1: a value that its declared type would change is rejected, wherever the type stands")
    void changedValues(String type, String value) throws IOException {
        Path file = Files.writeString(
                folder.resolve("rows.jsonl"),
                row("a", ",\"A@odata.type\":\"" + type + "\",\"A\":" + value)
                        + row("b", ",\"A\":" + value + ",\"A@odata.type\":\"" + type + "\"")
                        + row("c", ""));

        assertThat(tables.importFrom(file, "target").rejected()).isEqualTo(2);
        assertThat(bench.content("target")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Edm.Boolean | true",
                "Edm.Double | 5",
                "Edm.Int32 | 5",
                "Edm.Int64 | \"5\"",
                "Edm.String | \"true\"",
                "Edm.Binary | \"AQI\"",
                "Edm.Binary | \"AQI=\"",
                "Edm.DateTime | \"2020-01-01T00:00:00.123456700Z\""
            })
    @DisplayName("MOVE-1: a value of its declared type is imported, and equal to the file")
    void keptValues(String type, String value) throws IOException {
        Path file = Files.writeString(
                folder.resolve("rows.jsonl"), row("a", ",\"A@odata.type\":\"" + type + "\",\"A\":" + value));

        assertThat(tables.importFrom(file, "target").written()).isEqualTo(1);
        try (Stream<EntityDifference> found =
                tables.compare(EntitySource.of(file), EntitySource.of(bench.storage.table("target")))) {
            assertThat(found).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"PartitionKey\":[1]",
                ",\"PartitionKey\":null",
                ",\"RowKey\":{}",
                ",\"RowKey@odata.type\":\"Edm.String\",\"RowKey\":null"
            })
    @DisplayName("MOVE-3: a second key rejects its row, whatever it is")
    void secondKeys(String properties) throws IOException {
        Path file = Files.writeString(folder.resolve("rows.jsonl"), row("a", "") + row("b", properties));

        assertThat(tables.importFrom(file, "target").rejected()).isEqualTo(1);
        assertThat(bench.content("target")).hasSize(1);
    }

    @Test
    @DisplayName("MOVE-3: the file of rejected rows can be imported, and each row as it was mended")
    void rejectedRowsAreImportedOnceTheyAreMended() throws IOException {
        bench.storage.table("target").insert(Entity.builder("p", "exists").build());
        Path file = Files.writeString(
                folder.resolve("rows.jsonl"),
                row("exists", ",\"A\":\"x\\u0001\\\"\"")
                        + row("five", ",\"A\":5five")
                        + row("six", ",\"A\":six")
                        + row("ok", ""));
        tables.importFrom(file, "target", with -> with.mode(ImportMode.insertOnly()));
        Path rejected = folder.resolve("rows.jsonl.rejected.jsonl");

        TableTransferReport again = tables.importFrom(rejected, "target");

        assertThat(again).returns(1L, TableTransferReport::written).returns(2L, TableTransferReport::rejected);
        assertThat(bench.storage
                        .table("target")
                        .find("p", "exists")
                        .orElseThrow()
                        .value()
                        .properties())
                .containsEntry("A", "x\u0001\"");
        Path twice = folder.resolve("rows.jsonl.rejected.jsonl.rejected.jsonl");
        String mended = Files.readString(twice).replace("5five", "5");
        assertThat(mended).contains("\"Row\":\"{\\\"PartitionKey");
        String object = mended.lines()
                .filter(line -> line.contains("six"))
                .findFirst()
                .orElseThrow()
                .replaceFirst("\"Row\":.*", "\"Row\": {\"PartitionKey\":\"p\",\"RowKey\":\"six\",\"A\":6}}");
        Files.write(
                twice,
                mended.lines().map(line -> line.contains("six") ? object : line).toList());

        assertThat(tables.importFrom(twice, "target").written()).isEqualTo(2);
        assertThat(bench.content("target")).hasSize(4);
        assertThat(bench.storage
                        .table("target")
                        .find("p", "six")
                        .orElseThrow()
                        .value()
                        .properties())
                .containsEntry("A", 6);
    }

    @Test
    @DisplayName(
            "MOVE-2: a file that was changed under a state is refused, though its length and its time are the same")
    void aFileThatKeepsItsTimeIsRefusedByItsState() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.jsonl"), rows(1_000));
        assertThatIllegalStateException()
                .isThrownBy(() -> tables.importFrom(
                        file, "target", with -> with.parallelism(1).rate(2_000).progress(now -> {
                            if (now.rows() >= 300) {
                                throw new IllegalStateException("killed");
                            }
                        })))
                .withMessageContaining("killed");
        String whole = Files.readString(file);
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, whole.replace("\"A\":0}", "\"A\":1}"));
        Files.setLastModifiedTime(file, time);

        assertThatIllegalStateException()
                .isThrownBy(() -> tables.importFrom(file, "target", with -> with.parallelism(1)))
                .withMessageContaining("the file has been changed")
                .withMessageContaining("rows.jsonl.import");
        Files.writeString(file, whole);
        Files.setLastModifiedTime(file, time);
        assertThat(tables.importFrom(file, "target").read()).isEqualTo(1_000);
        assertThat(bench.content("target")).hasSize(1_000);
    }
}
