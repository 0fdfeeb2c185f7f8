package io.stowline.table.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedRowsTest {

    @TempDir
    Path folder;

    @Test
    void rowsOfManyRunsComeInTheOrderOfTheirKeys() throws IOException {
        Random random = new Random(1);
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (SortedRows sorted = new SortedRows(folder)) {
            byte[] large = new byte[1 << 20];
            for (int line = 1; line <= 60; line++) {
                String key = "r%03d".formatted(random.nextInt(40));
                byte[] text = line % 3 == 0 ? large : key.getBytes(StandardCharsets.UTF_8);
                expected.add("%s:%03d:%d".formatted(key, line, text.length));
                sorted.add("p", key, new FileRow(line, text, text.length + (line % 7 == 0 ? 5 : 0)));
            }
            sorted.sorted();
            for (FileRow row = sorted.next(); row != null; row = sorted.next()) {
                found.add(":%03d:%d".formatted(row.line(), row.text().length));
                assertThat(row.isWhole()).isEqualTo(row.line() % 7 != 0);
            }
        }
        assertThat(found)
                .isEqualTo(
                        expected.stream().sorted().map(row -> row.substring(4)).toList());
        assertThat(folder).isEmptyDirectory();
    }
}
