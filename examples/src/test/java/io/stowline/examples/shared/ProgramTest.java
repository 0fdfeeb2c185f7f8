package io.stowline.examples.shared;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramTest {

    private static final String HELP = """
        Does it.

          --size N                so many, 2 to 9
          --fast                  quickly
          --help                  show this text
        """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void isRightWhenNothingDiffers() throws InterruptedException {
        assertThat(run((size, out) -> size == 5 ? List.of() : List.of("size"))).isZero();
        assertThat(run((size, out) -> size == 3 ? List.of() : List.of("size"), "--size", "4", "--fast", "--size", "3"))
                .isZero();
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void showsWhatDiffersAndFails() throws InterruptedException {
        assertThat(run((size, out) -> List.of("size: " + size))).isOne();
        assertThat(err.toString(UTF_8).strip()).isEqualTo("differs: size: 5");
    }

    @Test
    void showsWhatFailed() throws InterruptedException {
        assertThat(run((size, out) -> {
                    throw new IOException("no file");
                }))
                .isOne();
        assertThat(err.toString(UTF_8).strip()).isEqualTo("failed: no file");
    }

    @Test
    void showsItsOptions() throws InterruptedException {
        assertThat(run((size, out) -> List.of("run"), "--size", "0", "--help")).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo(HELP);
    }

    @ParameterizedTest
    @CsvSource({
        "--size, --size needs a value",
        "--size 1, '--size needs a number from 2 to 9, not 1'",
        "--size ten, '--size needs a number from 2 to 9, not ten'",
        "--size -3, '--size needs a number from 2 to 9, not -3'",
        "--fast word, unknown option word",
        "--other, unknown option --other"
    })
    void refusesWrongOptionsInOneLine(String options, String message) throws InterruptedException {
        assertThat(run((size, out) -> List.of(), options.split(" "))).isEqualTo(2);
        assertThat(err.toString(UTF_8).strip()).isEqualTo(message + " (--help lists the options)");
    }

    @Test
    void readsWordsAndRepeatedOptions() {
        Arguments arguments = Arguments.parse(HELP, List.of("cp", "--size", "2", "from", "--size", "3", "-"));

        assertThat(arguments.words()).containsExactly("cp", "from", "-");
        assertThat(arguments.values("--size")).containsExactly("2", "3");
        assertThat(arguments.value("--size")).isEqualTo("3");
        assertThat(arguments.number("--size", 1)).isEqualTo(3);
        assertThat(arguments.has("--fast")).isFalse();
        assertThat(arguments.value("--fast")).isNull();
    }

    private int run(Program.Job<Integer> job, String... arguments) throws InterruptedException {
        return Program.ofOptions(HELP, (read, environment) -> read.within("--size", 2, 9, 5), job)
                .run(
                        List.of(arguments),
                        Map.of(),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8));
    }
}
