package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.UsageException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    private static final Map<String, String> ENVIRONMENT = Map.of(ProgramAccount.VARIABLE, "AccountKey=secret");
    private static final List<String> FILE =
            List.of("--input", "rows.csv", "--partition-key", "{p}", "--row-key", "{r}");

    @Test
    void takesTheCitiesWithAnAzuriteWithoutOptions() {
        Options options = parse(List.of());

        assertThat(options.load().hasCities()).isTrue();
        assertThat(options.connectionString()).isNull();
        assertThat(options.faults()).isNull();
        assertThat(options.keeps()).isFalse();
    }

    @Test
    void aSampleGoesIntoAnAccountThatWasNamedOnly() {
        assertThat(parse(List.of("--connection-string", "--limit", "--limit", "30"))
                        .connectionString())
                .isEqualTo("--limit");
        assertThat(parse(List.of("--connection-string", "given")).keeps()).isFalse();
    }

    @Test
    void aFileGoesIntoTheAccountOfTheEnvironmentAndStays() {
        assertThat(parse(FILE).connectionString()).isEqualTo("AccountKey=secret");
        assertThat(parse(FILE).keeps()).isTrue();
        assertThat(QuickStart.PROGRAM.options(FILE, Map.of()).keeps()).isFalse();
    }

    @Test
    void readsTheSeedOfTheFaults() {
        assertThat(parse(List.of("--faults", "0")).faults()).isZero();
        assertThat(parse(List.of("--limit", "3", "--faults", "42")).faults()).isEqualTo(42);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "", "ten", "99999999999999999999", "+1"})
    void refusesALimitThatIsNoNumberFromOne(String limit) {
        refuses("--limit needs a whole number from 1, not " + limit, "--limit", limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "", "ten", "99999999999999999999"})
    void refusesASeedThatIsNoNumberFromZero(String seed) {
        refuses("--faults needs a whole number from 0, not " + seed, "--faults", seed);
    }

    @Test
    void refusesFaultsOnTheWayToAGivenAccount() {
        refuses(
                "--faults goes with the program's own Azurite, not with --connection-string",
                "--faults",
                "1",
                "--connection-string",
                "AccountKey=secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--limit", "--connection-string", "--faults", "--input"})
    void refusesAnOptionWithoutItsValue(String option) {
        refuses(option + " needs a value", option);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--Limit", "-h", "30", ""})
    void refusesAnUnknownOption(String option) {
        refuses("unknown option " + option, "--limit", "3", option);
    }

    @Test
    void showsNoSecret() {
        assertThat(parse(FILE).toString()).contains("given").doesNotContain("secret");
        assertThat(parse(List.of()).toString()).contains("own Azurite");
    }

    private static Options parse(List<String> arguments) {
        return QuickStart.PROGRAM.options(arguments, ENVIRONMENT);
    }

    private static void refuses(String message, String... arguments) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> parse(List.of(arguments)))
                .withMessage(message);
    }
}
