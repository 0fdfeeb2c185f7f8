package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.shared.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @Test
    void takesEverythingWithAnAzuriteOfItsOwnWithoutOptions() {
        assertThat(Options.parse(List.of())).isEqualTo(new Options(Long.MAX_VALUE, null, null, false));
    }

    @Test
    void readsAllOptionsInAnyOrder() {
        assertThat(Options.parse(List.of("--help", "--connection-string", "--limit", "--limit", "30")))
                .isEqualTo(new Options(30, "--limit", null, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "", "ten", "99999999999999999999", "+1"})
    void refusesALimitThatIsNoNumberFromOne(String limit) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Options.parse(List.of("--limit", limit)))
                .withMessage("--limit needs a whole number of at least 1, not " + limit);
    }

    @Test
    void readsTheSeedOfTheFaults() {
        assertThat(Options.parse(List.of("--faults", "0")).faults()).isZero();
        assertThat(Options.parse(List.of("--limit", "3", "--faults", "42")))
                .isEqualTo(new Options(3, null, 42L, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "", "ten", "99999999999999999999"})
    void refusesASeedThatIsNoNumberFromZero(String seed) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Options.parse(List.of("--faults", seed)))
                .withMessage("--faults needs a whole number from 0, not " + seed);
    }

    @Test
    void refusesFaultsOnTheWayToAGivenAccount() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Options.parse(List.of("--faults", "1", "--connection-string", "AccountKey=secret")))
                .withMessage("--faults goes with the program's own Azurite, not with --connection-string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--limit", "--connection-string", "--faults"})
    void refusesAnOptionWithoutItsValue(String option) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Options.parse(List.of(option)))
                .withMessage(option + " needs a value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--Limit", "-h", "30", ""})
    void refusesAnUnknownOption(String option) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Options.parse(List.of("--limit", "3", option)))
                .withMessage("unknown option " + option);
    }

    @Test
    void showsNoSecret() {
        assertThat(Options.parse(List.of("--connection-string", "AccountKey=secret"))
                        .toString())
                .contains("given")
                .doesNotContain("secret");
        assertThat(Options.parse(List.of()).toString()).contains("own Azurite");
    }

    @Test
    void explainsEveryOption() {
        assertThat(Options.HELP).contains("--limit N", "--connection-string S", "--faults SEED", "--help");
    }
}
