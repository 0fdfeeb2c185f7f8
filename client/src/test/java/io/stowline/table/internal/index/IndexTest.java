package io.stowline.table.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Index;
import io.stowline.table.internal.index.TableIndex.IndexKind;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexTest {

    record Member(
            @PartitionKey String club,
            @RowKey String id,
            @Nullable String name,
            int number,
            @Nullable Long points,
            Instant joined,
            LocalDate born) {}

    private static final Member ANN =
            new Member("c", "1", "Ann", 17, 5L, Instant.parse("2026-11-01T10:00:00Z"), LocalDate.of(1990, 5, 4));
    private static final Member NAMELESS = new Member("c", "2", null, 18, null, Instant.EPOCH, LocalDate.of(12, 1, 1));

    private static final Index<Member, String> NAME = Index.text("NAME", Member::name);
    private static final Index<Member, Integer> NUMBER = Index.number("NR", 5, Member::number);
    private static final Index<Member, Long> POINTS = Index.number("POINTS", 3, Member::points);
    private static final Index<Member, Instant> JOINED = Index.time("JOINED", Member::joined);
    private static final Index<Member, LocalDate> BORN = Index.date("BORN", Member::born);

    private static Optional<String> value(Index<Member, ?> index, Member member) {
        return TableIndex.of(index).value(member);
    }

    @Test
    @DisplayName("T11: values stand in keys such that rows sort as they do, and null is not in the index")
    void texts() {
        assertThat(value(NAME, ANN)).contains("Ann");
        assertThat(value(NAME, NAMELESS)).isEmpty();
        assertThat(value(NUMBER, ANN)).contains("00017");
        assertThat(value(POINTS, ANN)).contains("005");
        assertThat(value(POINTS, NAMELESS)).isEmpty();
        assertThat(value(JOINED, ANN)).contains("0639291240000000000");
        assertThat(value(BORN, ANN)).contains("1990-05-04");
        assertThat(value(BORN, NAMELESS)).contains("0012-01-01");
        assertThat(NUMBER.keyText(17)).isEqualTo("00017");
    }

    @Test
    @DisplayName("T17: a value that a key has no room for is refused by the index's name")
    void values() {
        Member many = new Member("c", "3", "Bob", 100_000, null, Instant.EPOCH, LocalDate.of(10_000, 1, 1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> value(NUMBER, many))
                .withMessageContaining("index NR")
                .withMessageContaining("99999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> value(BORN, many))
                .withMessageContaining("index BORN")
                .withMessageContaining("9999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NUMBER.keyText(-1))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Index.number("NR", 19, Member::number))
                .withMessageContaining("19");
    }

    @Test
    @DisplayName("T11: each step gives another index")
    void steps() {
        assertThat(TableIndex.of(NAME).kind()).isEqualTo(IndexKind.ORDERED);
        assertThat(TableIndex.of(NAME.unique()).kind()).isEqualTo(IndexKind.UNIQUE);
        assertThat(TableIndex.of(NAME.unique().global()).kind()).isEqualTo(IndexKind.ELSEWHERE);
        assertThat(TableIndex.of(NAME.version(3).unique()).tag()).isEqualTo("NAME 3");
        assertThat(TableIndex.of(NAME).tag()).isEqualTo("NAME 1");
        assertThat(NAME).hasToString("Index[NAME, local]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "A:", "A-B", "Ä", "a b", "A23456789012345678901234567890123"})
    @DisplayName("T17: a name that cannot stand in keys is refused")
    void names(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Index.text(name, Member::name))
                .withMessageContaining("\"" + name + "\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_000_001})
    void versions(int number) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NAME.version(number))
                .withMessageContaining("1000000")
                .withMessageContaining("" + number);
    }
}
