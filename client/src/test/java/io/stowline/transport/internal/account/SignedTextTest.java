package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SignedTextTest {

    private static byte[] bytes(SignedText text) {
        return Arrays.copyOf(text.bytes(), text.length());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Provide
    Arbitrary<List<String>> parts() {
        return Arbitraries.oneOf(
                        Arbitraries.strings().ascii().ofMaxLength(300),
                        Arbitraries.strings().withChars("aZ\u00e9\u4eac").ofMaxLength(20),
                        Arbitraries.just("\ud83d\ude00"))
                .list()
                .ofMaxSize(8);
    }

    @Property
    void isTheUtf8OfItsParts(@ForAll("parts") List<String> parts) {
        SignedText text = SignedText.begin();
        parts.forEach(text::add);

        assertThat(bytes(text)).isEqualTo(utf8(String.join("", parts)));
    }

    @Property
    void lowersItsParts(@ForAll("parts") List<String> parts) {
        SignedText text = SignedText.begin().add("A");
        parts.forEach(part -> text.addLowerCase("B" + part + "B", 1, part.length() + 1));

        StringBuilder lowered = new StringBuilder("A");
        parts.forEach(part -> lowered.append(part.toLowerCase(Locale.ROOT)));
        assertThat(bytes(text)).isEqualTo(utf8(lowered.toString()));
    }

    @Test
    void begins() {
        SignedText.begin().add("longer than the next");

        assertThat(bytes(SignedText.begin().add("next").add('!'))).isEqualTo(utf8("next!"));
    }

    @Test
    void isCut() {
        SignedText text = SignedText.begin().add("begin");
        text.add("more").cut(5);

        assertThat(bytes(text)).isEqualTo(utf8("begin"));
    }
}
