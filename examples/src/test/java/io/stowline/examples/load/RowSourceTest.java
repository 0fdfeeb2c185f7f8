package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.stowline.examples.shared.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowSourceTest {

    @TempDir
    Path folder;

    @Test
    void readsCsvWithQuotesAndLinesInValues() throws IOException {
        assertThat(read("a.csv", "\uFEFFa,b\n1,\"x \"\"y\"\"\nz\"\n\n2,\n"))
                .containsExactly(
                        new InputRow(1, 2, Map.of("a", "1", "b", "x \"y\"\nz"), "1,\"x \"\"y\"\"\nz\"", null),
                        new InputRow(2, 5, Map.of("a", "2", "b", ""), "2,", null));
    }

    @Test
    void readsTheLastRowWithoutAnEndOfLine() throws IOException {
        assertThat(read("a.csv", "a\r\n1\r\n2")).extracting(InputRow::line).containsExactly(2L, 3L);
    }

    @Test
    void notesRowsOfAnotherWidth() throws IOException {
        assertThat(read("a.tsv", "a\tb\n1\n1\t2\t3\n1\t2\n"))
                .extracting(InputRow::problem)
                .containsExactly(
                        "1 values, but the header has 2 columns", "3 values, but the header has 2 columns", null);
    }

    @Test
    void readsJsonLines() throws IOException {
        List<InputRow> rows =
                read("a.jsonl", "{\"a\": 1.50, \"b\": [1, \"x\"], \"c\": null}\n\n[]\n{\"a\": 1\n{} {}\n");

        assertThat(rows.get(0).values()).isEqualTo(Map.of("a", new BigDecimal("1.50"), "b", "[1,\"x\"]"));
        assertThat(rows).extracting(InputRow::line).containsExactly(1L, 3L, 4L, 5L);
        assertThat(rows).extracting(row -> row.problem() == null).containsExactly(true, false, false, false);
    }

    @Test
    void readsAnArrayOfJson() throws IOException {
        List<InputRow> rows = read("a.json", "[{\"a\": \"q\\\"\\u00e9\"}, 3, {\"b\": {\"c\": true}}]");

        assertThat(rows)
                .extracting(InputRow::values)
                .containsExactly(Map.of("a", "q\"é"), Map.of(), Map.of("b", "{\"c\":true}"));
        assertThat(rows.get(1).problem()).isEqualTo("not a JSON object");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[{}", "[{\"a\": 1]", "[1,,2]"})
    void refusesWhatIsNoWholeArray(String json) {
        assertThatIOException().isThrownBy(() -> read("a.json", json));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,a\n1,2\n", "a\n\"x\"y\n"})
    void refusesCsvThatCannotBeUnderstood(String csv) {
        assertThatIOException().isThrownBy(() -> read("a.csv", csv));
    }

    @Test
    void stopsAtTheLimit() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "a\n1\n2\n3\n");
        try (RowSource source = InputFile.of(file, null, null, 2L).open()) {
            assertThat(source.next()).isNotNull();
            assertThat(source.next()).isNotNull();
            assertThat(source.next()).isNull();
        }
    }

    @Test
    void refusesWhatIsNotUtf8FarBehindTheBeginning() throws IOException {
        String rows = "1\n".repeat(20_000) + "é\n";

        for (String name : List.of("a.csv", "a.jsonl")) {
            assertThatIOException()
                    .isThrownBy(() -> read(name, rows, ISO_8859_1))
                    .withMessage(folder.resolve(name) + " is no text in UTF-8");
        }
        assertThatIOException()
                .isThrownBy(() -> read("a.json", "[" + "1,".repeat(20_000) + "\"é\"]", ISO_8859_1))
                .withMessage(folder.resolve("a.json") + " is no text in UTF-8");
    }

    @Test
    void refusesWhatIsNotUtf8() {
        assertThatIOException().isThrownBy(() -> read("a.csv", "a\né\n", ISO_8859_1));
    }

    @Test
    void stopsAtARowThatDoesNotEnd() {
        byte[] block = new byte[1 << 20];
        InputMeter meter = new InputMeter(new InputStream() {
            @Override
            public int read() {
                return 0;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                return Math.min(length, block.length);
            }
        });

        assertThatIOException()
                .isThrownBy(() -> {
                    while (true) {
                        assertThat(meter.read(block)).isEqualTo(block.length);
                    }
                })
                .withMessageContaining("16 MiB");
        assertThat(meter.bytesRead()).isEqualTo(InputMeter.MAX_ROW + block.length);
    }

    @Test
    void takesTheFormatFromTheOption() {
        assertThat(InputFile.of(Path.of("x.dat"), "csv", ";", 7L))
                .isEqualTo(new InputFile(Path.of("x.dat"), InputFile.Format.CSV, ';', 7));
        assertThat(InputFile.of(Path.of("x.tsv"), null, null, null).delimiter()).isEqualTo('\t');
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> InputFile.of(Path.of("x.dat"), null, null, null));
    }

    private List<InputRow> read(String name, String content) throws IOException {
        return read(name, content, UTF_8);
    }

    private List<InputRow> read(String name, String content, Charset charset) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content, charset);
        List<InputRow> rows = new ArrayList<>();
        try (RowSource source = InputFile.of(file, null, null, null).open()) {
            InputRow row = source.next();
            while (row != null) {
                rows.add(row);
                row = source.next();
            }
            assertThat(source.bytesRead()).isEqualTo(Files.size(file));
        }
        return rows;
    }
}
