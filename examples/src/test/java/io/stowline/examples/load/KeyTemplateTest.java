package io.stowline.examples.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.shared.UsageException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTemplateTest {

    private static final Map<String, Object> ROW = Map.of(
            "name",
            "a/b",
            "code",
            "X1",
            "id",
            new BigDecimal(7),
            "at",
            "2026-05-01",
            "uid",
            "8B2B1C4E-0000-4000-8000-000000000001",
            "empty",
            "");

    @ParameterizedTest
    @CsvSource({
        "{code}, X1",
        "{name}, a.2Fb",
        "all, all",
        "CITY:{code}:{name}, CITY:X1:a.2Fb",
        "{code}!!{empty}, X1!!",
        "{id:number(4)}!{code:plain}, 0007!X1",
        "{uid:uuid}, 8b2b1c4e-0000-4000-8000-000000000001",
        "{at:time}, 0639131904000000000",
    })
    void makesKeys(String template, String key) throws RowRefusedException {
        assertThat(KeyTemplate.parse("--row-key", template).key(ROW)).isEqualTo(key);
    }

    @Test
    void putsAHashBeforeTheKey() throws RowRefusedException {
        assertThat(KeyTemplate.parse("--row-key", "{hash(16)}!{code}").key(ROW)).matches("0(0\\d|1[0-5])!X1");
    }

    @Test
    void namesItsColumns() {
        assertThat(KeyTemplate.parse("--row-key", "CITY!{code}!{id:number(3)}").columns())
                .isEqualTo(List.of("code", "id"));
    }

    @ParameterizedTest
    @CsvSource({
        "{missing}, missing is missing",
        "{code:number(4)}, code is no number",
        "{id:number(0)}!{x}, number",
        "{code:uuid}, code is no uuid",
        "{code:time}, code is no time",
    })
    void refusesRowsWithoutTheirValues(String template, String reason) {
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> KeyTemplate.parse("--row-key", template).key(ROW))
                .withMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{a}{b}",
                "{a}!{b}:{c}",
                "{a}!",
                "!{a}",
                "{a",
                "a}",
                "{a}/{b}",
                "{a:big}",
                "{a:number}",
                "{a}!:{b}",
                "{a} {b}",
                "{a}!!!!{b}",
                "{a}!{hash(3)}"
            })
    void refusesWhatIsNoTemplate(String template) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> KeyTemplate.parse("--row-key", template))
                .withMessageStartingWith("--row-key " + template + ": ");
    }
}
