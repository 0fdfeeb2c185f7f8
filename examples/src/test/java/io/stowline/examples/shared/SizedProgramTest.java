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

class SizedProgramTest {

    private static final List<String> ACCOUNT = List.of("--connection-string", "UseDevelopmentStorage=true");

    private final SizedProgram program = new SizedProgram("Does it.", "--size", "so many", 2, 5);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void isRightWhenNothingDiffers() throws InterruptedException {
        assertThat(run(ACCOUNT, (account, size, out) -> size == 5 ? List.of() : List.of("size")))
                .isZero();
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void tellsWhatDiffersAndFails() throws InterruptedException {
        assertThat(run(ACCOUNT, (account, size, out) -> List.of("size: " + size)))
                .isOne();
        assertThat(err.toString(UTF_8).strip()).isEqualTo("differs: size: 5");
    }

    @Test
    void tellsWhatFailed() throws InterruptedException {
        assertThat(run(ACCOUNT, (account, size, out) -> {
                    throw new IOException("no file");
                }))
                .isOne();
        assertThat(err.toString(UTF_8).strip()).isEqualTo("failed: no file");
    }

    @ParameterizedTest
    @CsvSource({
        "--size, --size needs a value",
        "--size 1, '--size needs a number from 2 to 2147483647, not 1'",
        "--size ten, '--size needs a whole number of at least 1, not ten'",
        "--other, unknown option --other"
    })
    void refusesWrongOptionsInOneLine(String options, String message) throws InterruptedException {
        assertThat(run(List.of(options.split(" ")), (account, size, out) -> List.of()))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8).strip()).isEqualTo(message + " (--help lists the options)");
    }

    @Test
    void refusesABadConnectionStringWithoutItsKey() throws InterruptedException {
        assertThat(run(List.of("--connection-string", "AccountName=a;AccountKey=secret!"), (account, size, out) -> {
                    account.connect().close();
                    return List.of();
                }))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8)).startsWith("--connection-string: ").doesNotContain("secret");
    }

    private int run(List<String> arguments, SizedProgram.Work work) throws InterruptedException {
        return program.of(work)
                .run(arguments, Map.of(), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
