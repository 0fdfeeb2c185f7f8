package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSettingsTest {

    private static final IndexSettings<String> NONE = IndexSettings.none();

    @Test
    @DisplayName("T11: each step gives new settings, and the order stays")
    void collects() {
        IndexSettings<String> one = NONE.unique("A", Optional::of);
        IndexSettings<String> all =
                one.local("B2", Optional::of).global("c", Optional::of).grace(Duration.ofSeconds(1));

        assertThat(NONE.indexes()).isEmpty();
        assertThat(NONE.grace()).isEqualTo(Duration.ofMinutes(10));
        assertThat(one.indexes()).hasSize(1);
        assertThat(all.indexes()).extracting(TableIndex::name).containsExactly("A", "B2", "c");
        assertThat(all.indexes())
                .extracting(TableIndex::kind)
                .containsExactly(TableIndex.Kind.UNIQUE, TableIndex.Kind.ORDERED, TableIndex.Kind.ELSEWHERE);
        assertThat(all.grace()).isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "A:", "A-B", "Ä", "a b", "A23456789012345678901234567890123"})
    @DisplayName("T17: a name that cannot stand in keys is refused")
    void names(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NONE.local(name, Optional::of))
                .withMessageContaining("\"" + name + "\"");
    }

    @Test
    void sameNameTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NONE.unique("A", Optional::of).global("A", Optional::of))
                .withMessageContaining("two indexes named A");
    }

    @Test
    @DisplayName("T9: no more indexes than a query over the entities has room for")
    void mostIndexes() {
        IndexSettings<String> settings = NONE;
        for (int i = 1; i <= 7; i++) {
            settings = settings.local("A" + i, Optional::of);
        }
        IndexSettings<String> full = settings;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> full.local("A8", Optional::of))
                .withMessageContaining("A8")
                .withMessageContaining("7");
    }

    @Test
    void graceOfNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NONE.grace(Duration.ofMillis(999)))
                .withMessageContaining("PT0.999S");
    }
}
