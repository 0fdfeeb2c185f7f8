package io.stowline.examples.registrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.commons.csv.CSVException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit of a row, wherever it lies in the buffers of the parser. */
class RunnerCsvTest {

    private static final int LIMIT = 64 * 1024;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 113, 120, 127, 240, 10_000})
    void aRowHasTheSameLimitWhereverItLies(int before) throws Exception {
        for (String quote : new String[] {"", "\""}) {
            RunnerCsv fits = read(before, quote, LIMIT);
            assertThat(fits.next().name()).hasSizeGreaterThan(60_000);
            assertThat(fits.next()).isEqualTo(TestRunners.runner("r", 2));
            assertThat(fits.next()).isNull();

            RunnerCsv longer = read(before, quote, LIMIT + 1);
            assertThatExceptionOfType(CSVException.class)
                    .isThrownBy(longer::next)
                    .withMessage("a row has at most 65,536 characters");
        }
    }

    /** Rows before, all of which are read, then one of a length. */
    private static RunnerCsv read(int before, String quote, int length) throws Exception {
        StringBuilder text = new StringBuilder(TestRunners.HEADER);
        for (int i = 0; i < before; i++) {
            text.append(TestRunners.row(TestRunners.runner("r", 1)));
        }
        String start = "r,runner1@example.com,1," + quote;
        String end = quote + ",30,NO";
        text.append(start)
                .append("x".repeat(length - start.length() - end.length()))
                .append(end)
                .append("\r\n")
                .append(TestRunners.row(TestRunners.runner("r", 2)));
        RunnerCsv rows = rows(text);
        for (int i = 0; i < before; i++) {
            assertThat(rows.next()).isEqualTo(TestRunners.runner("r", 1));
        }
        return rows;
    }

    private static RunnerCsv rows(CharSequence text) throws IOException {
        return new RunnerCsv(
                new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
}
