package io.stowline.queue.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.body.BodyFormat.Base64Text;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Base64TextTest {

    @Property
    @Label("Base64 is read with and without padding, in lines and with blanks around, and is as long as was said")
    void readsEveryForm(@ForAll byte[] bytes, @ForAll @IntRange(min = 4, max = 80) int lineLength) {
        String text = Base64Text.of(bytes);
        byte[] lineEnd = lineLength % 2 == 0 ? new byte[] {'\r', '\n'} : new byte[] {'\n'};

        assertThat(Base64Text.length(bytes.length)).isEqualTo(text.length());
        assertThat(Base64Text.decode(text)).isEqualTo(bytes);
        assertThat(Base64Text.decode(Base64.getEncoder().withoutPadding().encodeToString(bytes)))
                .isEqualTo(bytes);
        assertThat(Base64Text.decode(" \t" + text + "\r\n")).isEqualTo(bytes);
        assertThat(Base64Text.decode(Base64.getMimeEncoder(lineLength, lineEnd).encodeToString(bytes)))
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello world!",
                "some more text with blanks",
                "a",
                "{\"a\":1}",
                "aGk=aGk=",
                "a-_b",
                "é",
                "=",
                "a=b"
            })
    void otherTextIsNone(String text) {
        assertThat(Base64Text.decode(text)).isNull();
    }

    @Property
    @Label("a text with a character that Base64 does not have is none")
    void foreignCharacters(@ForAll byte[] bytes, @ForAll("foreign") char foreign) {
        String text = Base64Text.of(bytes);
        int middle = text.length() / 2;

        assertThat(Base64Text.decode("abcd" + text.substring(0, middle) + foreign + text.substring(middle) + "abcd"))
                .isNull();
    }

    @Provide
    Arbitrary<Character> foreign() {
        return Arbitraries.chars()
                .filter(c -> c != '\r'
                        && c != '\n'
                        && "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".indexOf(c) < 0);
    }

    @Test
    void theEmptyTextIsTheEmptyBody() {
        assertThat(Base64Text.decode("")).isEmpty();
        assertThat(Base64Text.of("hello".getBytes(StandardCharsets.UTF_8))).isEqualTo("aGVsbG8=");
    }
}
