package io.stowline.spring.boot.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncodedKeyTest {

    @ParameterizedTest
    @CsvSource({
        "nightly-report, nightly-report",
        "orders.7, orders.7",
        "orders., orders_2E",
        "a..b, a_2E_2Eb",
        "order:17/x, order_3A17_2Fx",
        "a_b, a_5Fb",
        "ä, _C3_A4"
    })
    void keepsPlainTextReadable(String key, String encoded) {
        assertThat(EncodedKey.of(key)).isEqualTo(encoded);
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withChars("ab._~3F\0\u00e4/\\#?% ").ofMaxLength(6),
                Arbitraries.strings().withChars("ab.").ofMinLength(195).ofMaxLength(210),
                Arbitraries.strings().ofMaxLength(40).filter(text -> text.codePoints()
                        .noneMatch(c -> Character.getType(c) == Character.SURROGATE)));
    }

    @Property
    void namesABlobAndARowAndNoOtherKey(@ForAll("keys") String one, @ForAll("keys") String other) {
        String encoded = EncodedKey.of(one);

        assertThat(encoded)
                .matches("[A-Za-z0-9._~-]{1,200}")
                .doesNotContain("..")
                .doesNotEndWith(".");
        assertThat(encoded.equals(EncodedKey.of(other))).isEqualTo(one.equals(other));
    }

    @Test
    void refusesKeysThatNoNameCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EncodedKey.of("a\ud800"))
                .withMessageContaining("surrogate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EncodedKey.of("a".repeat(1_025)))
                .withMessageContaining("1025 characters")
                .withMessageContaining("1024");
    }
}
