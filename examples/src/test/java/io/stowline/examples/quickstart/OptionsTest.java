package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @Test
    void takesEverythingWithAnAzuriteOfItsOwnWithoutOptions() {
        assertThat(Options.parse(List.of())).isEqualTo(new Options(Long.MAX_VALUE, null, false));
    }

    @Test
    void readsAllOptionsInAnyOrder() {
        assertThat(Options.parse(List.of("--help", "--connection-string", "--limit", "--limit", "30")))
                .isEqualTo(new Options(30, "--limit", true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "", "ten", "99999999999999999999", "+1"})
    void refusesALimitThatIsNoNumberFromOne(String limit) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Options.parse(List.of("--limit", limit)))
                .withMessage("--limit needs a whole number of at least 1, not " + limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--limit", "--connection-string"})
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
        assertThat(Options.HELP).contains("--limit N", "--connection-string S", "--help");
    }
}
