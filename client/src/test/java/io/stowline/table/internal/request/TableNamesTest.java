package io.stowline.table.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.transport.internal.account.NameRules;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"abc", "A12", "Registrations2024", "tables1", "$MetricsHourPrimaryTransactionsBlob"})
    void allows(String name) {
        assertThat(NameRules.table(name)).isEqualTo(name);
    }

    @Test
    void allowsSixtyThreeCharacters() {
        assertThat(NameRules.table("a".repeat(63))).hasSize(63);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.table("a".repeat(64)))
                .withMessageContaining("64 characters");
    }

    @ParameterizedTest
    @DisplayName("MAP-3: a name that the service does not allow is refused before anything is sent")
    @ValueSource(strings = {"", "ab", "1abc", "a-b", "a_bc", "täble", "a b", "a'bc", "$abc", "$Metrics"})
    void refuses(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.table(name))
                .withMessageContaining("'" + name + "'")
                .withMessageContaining("3 to 63");
    }

    @Test
    @DisplayName("MAP-3: the refusal of a name has no control characters of it")
    void escapes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.table("abc\n"))
                .withMessageContaining("'abc\\n'")
                .withMessageContaining("4 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tables", "Tables", "TABLES"})
    void refusesTheReservedName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.table(name))
                .withMessageContaining("reserved");
    }
}
