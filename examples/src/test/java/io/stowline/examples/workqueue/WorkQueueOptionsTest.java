package io.stowline.examples.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkQueueOptionsTest {

    @Test
    void hasDefaults() {
        WorkQueueOptions options = parse("");

        assertThat(List.of(options.workers(), options.handlers(), options.jobs(), options.work(), options.lease()))
                .containsExactly(3, 4, 400, 200, 10);
        assertThat(options.kill()).isTrue();
        assertThat(options.replace()).isFalse();
        assertThat(options.connectionString()).isNull();
    }

    @Test
    void readsItsOptions() {
        WorkQueueOptions options =
                parse("--workers 5 --handlers 2 --jobs 60 --work 0 --lease 30 --replace --connection-string given");

        assertThat(List.of(options.workers(), options.handlers(), options.jobs(), options.work(), options.lease()))
                .containsExactly(5, 2, 60, 0, 30);
        assertThat(options.replace()).isTrue();
        assertThat(options.connectionString()).isEqualTo("given");
        assertThat(parse("--no-kill --workers 1").kill()).isFalse();
        assertThat(parse("--replace --workers 1").kill()).isTrue();
    }

    @Test
    void takesTheAccountFromTheEnvironment() {
        Map<String, String> environment = Map.of(ProgramAccount.VARIABLE, "AccountKey=secret");

        assertThat(WorkQueue.PROGRAM.options(List.of(), environment).connectionString())
                .isEqualTo("AccountKey=secret");
        assertThat(WorkQueue.PROGRAM
                        .options(List.of("--connection-string", "other"), environment)
                        .connectionString())
                .isEqualTo("other");
        assertThat(WorkQueue.PROGRAM.options(List.of(), environment)).asString().doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "--workers 17, '--workers needs a number from 1 to 16, not 17'",
        "--workers 0, '--workers needs a number from 1 to 16, not 0'",
        "--handlers 65, '--handlers needs a number from 1 to 64, not 65'",
        "--jobs 19, '--jobs needs a number from 20 to 100000, not 19'",
        "--work fast, '--work needs a number from 0 to 60000, not fast'",
        "--lease 9, '--lease needs a number from 10 to 3600, not 9'",
        "--lease, --lease needs a value",
        "--workers 1, '--workers 1 needs --replace or --no-kill, as no worker would be left'",
        "--no-kill --replace, --replace and --no-kill exclude each other",
        "--fast, unknown option --fast"
    })
    void refusesWrongOptionsInOneLine(String options, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> parse(options))
                .withMessage(message);
    }

    private static WorkQueueOptions parse(String options) {
        return WorkQueue.PROGRAM.options(options.isEmpty() ? List.of() : List.of(options.split(" ")), Map.of());
    }
}
