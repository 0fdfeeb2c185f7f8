package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.IDN;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAuthorityTest {

    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> label =
                Arbitraries.strings().withChars("abcXYZ019-_").ofMinLength(1).ofMaxLength(63);
        return label.list().ofMinSize(1).ofMaxSize(4).map(labels -> String.join(".", labels));
    }

    @Property
    void namesOfAsciiAreWhatAnEncodingMakesOfThem(@ForAll @From("names") String name) {
        if (name.length() <= 253) {
            assertThat(HttpAuthority.of(name).host())
                    .isEqualTo(IDN.toASCII(name).toLowerCase(Locale.ROOT));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"m\u00fcnchen.example", "\u212Ab.example", "\u3002", "b\u00fccher.example."})
    void otherNamesAreEncoded(String name) {
        String ascii = IDN.toASCII(name).toLowerCase(Locale.ROOT);
        if (ascii.matches("[a-z0-9_.-]*[a-z0-9_-]\\.?")) {
            assertThat(HttpAuthority.of(name).host()).isEqualTo(ascii);
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> HttpAuthority.of(name));
        }
    }
}
