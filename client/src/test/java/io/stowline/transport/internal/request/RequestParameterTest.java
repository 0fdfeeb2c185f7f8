package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestParameterTest {

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "30dd879c-ee2f-11db-8314-0800200c9a66, 30dd879c-ee2f-11db-8314-0800200c9a66",
        "AgAAAAMAAA+/==, AgAAAAMAAA%2B%2F%3D%3D",
        "a b+c, a%20b%2Bc",
        "2024-02-29T12:00:00.0000000Z, 2024-02-29T12%3A00%3A00.0000000Z",
        "\u00e4/\uD83D\uDE00, %C3%A4%2F%F0%9F%98%80"
    })
    void encodes(String text, String encoded) {
        assertThat(Request.encoded(text)).isEqualTo(encoded);
    }

    @Property
    @Label("what the fast way encodes is what the encoder of forms encodes, but for the space")
    void encodesAsFormsDo(
            @ForAll @Chars({'a', 'Z', '0', '-', '+', '/', '=', ' ', '.', '_', '*', '~', '%', '&', '\u00e4'})
                    String text) {
        assertThat(Request.encoded(text))
                .isEqualTo(URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    @Property
    @Label("an address gives the text back")
    void isDecoded(@ForAll @Chars({'a', '-', '+', '/', '=', ' ', '.', '%', '&', '?', '#', '\u00e4'}) String text) {
        URI address = URI.create("http://host/?marker=" + Request.encoded(text));

        assertThat(address.getQuery()).isEqualTo("marker=" + text);
    }
}
