package io.stowline.table.internal.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowConditionTest {

    private static final Instant STAMP = Instant.parse("2026-11-29T00:00:00.0000001Z");
    private static final Entity ENTITY = Entity.read(
            "it's",
            "007",
            Entity.builder("", "")
                    .set("Age", 41)
                    .set("Paid", 1L << 40)
                    .set("Rate", -0.0)
                    .set("None", Double.NaN)
                    .set("Name", "O'Neil (jun.)")
                    .set("Active", true)
                    .set("Born", Instant.parse("1985-01-02T03:04:05Z"))
                    .set("Id", UUID.fromString("ffffffff-0000-0000-0000-000000000000"))
                    .set("Bytes", new byte[] {0, (byte) 0xFF})
                    .set("größe", 5)
                    .build()
                    .properties(),
            STAMP);

    private static boolean holds(String text) {
        return RowCondition.of(text).test(ENTITY);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        Age eq 41                                              | true
        Age ne 41                                              | false
        Age gt 40 and Age lt 42                                | true
        Age ge 42 or Age le 41                                 | true
        Age eq 41L                                             | false
        Age eq 41.0                                            | false
        Age eq '41'                                            | false
        Age ne '41'                                            | false
        Paid gt 1099511627775L                                 | true
        Rate eq 0.0                                            | true
        Rate lt 1e-300                                         | true
        None ne 5.0                                            | false
        not (None eq 5.0)                                      | true
        Name eq 'O''Neil (jun.)'                               | true
        Name ge 'O' and Name lt 'P'                            | true
        Active                                                 | true
        not Active                                             | false
        Active eq true and not(Age eq 5)                       | true
        Born eq datetime'1985-01-02T03:04:05Z'                 | true
        Timestamp gt datetime'2026-11-29T00:00:00Z'            | true
        Id eq guid'FFFFFFFF-0000-0000-0000-000000000000'       | true
        Id gt guid'00000000-0000-0000-0000-000000000001'       | true
        Bytes eq X'00ff'                                       | true
        Bytes gt binary'007F'                                  | true
        größe eq 5                                             | true
        Absent eq 5                                            | false
        Absent ne 5                                            | false
        not (Absent ne 5)                                      | true
        Absent                                                 | false
        PartitionKey eq 'it''s' and RowKey lt '1'              | true
        Age eq 5 and Age eq 6 or Age eq 41                     | true
        Age eq 41 or Age eq 6 and Age eq 5                     | true
        ( ( Age eq 41 ) or Age eq 6 ) and Age eq 5             | false
        not not (Age eq 41)                                    | true
        """)
    void readsTheFilterLanguage(String text, boolean expected) {
        assertThat(holds(text)).isEqualTo(expected);
    }

    @Test
    void readsTheTextOfFilters() {
        Filter filter = Filter.property("Name")
                .startsWith("O'N")
                .and(
                        Filter.property("Age").in(1, 41),
                        Filter.property("Active").isFalse().not(),
                        Filter.timestamp().atLeast(STAMP),
                        Filter.property("Bytes").equalTo(new byte[] {0, -1}),
                        Filter.property("Paid").between(5L, 1L << 41));

        assertThat(holds(filter.toString())).isTrue();
        assertThat(holds(filter.not().toString())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Age eq",
                "Age eq 41 and",
                "Age eq 41)",
                "(Age eq 41",
                "Age eq 41 Age",
                "Age = 41",
                "41 eq Age and",
                "Age eq 99999999999",
                "Name eq 'O",
                "Born eq datetime'yesterday'",
                "Id eq guid'5'",
                "Bytes eq X'0'",
                "Age eq int'5'",
                "startswith(Name, 'O')",
                "substringof('O', Name)"
            })
    void refusesOthersWithThePlace(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowCondition.of(text))
                .withMessageStartingWith("where: ")
                .withMessageContaining("the condition " + text + " has at position ");
    }
}
