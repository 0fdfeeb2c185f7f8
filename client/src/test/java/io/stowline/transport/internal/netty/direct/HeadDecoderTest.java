package io.stowline.transport.internal.netty.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaderName;
import io.netty.buffer.Unpooled;
import io.stowline.transport.internal.http.MalformedResponseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;

class HeadDecoderTest {

    private static final HttpHeaderName NAME = HttpHeaderName.fromString("x-ms-request-id");

    /** The decoder looks at eight bytes at once: each byte is found at each place among them. */
    @Property(tries = 4_000)
    void eachByteOfAValueIsReadOrRefused(
            @ForAll @ByteRange(min = Byte.MIN_VALUE) byte content,
            @ForAll @IntRange(max = 20) int before,
            @ForAll @IntRange(max = 20) int behind)
            throws IOException {
        char c = (char) (content & 0xff);
        String value = "a".repeat(before + 1) + c + "z".repeat(behind + 1);
        String head = "HTTP/1.1 200 OK\r\nServer: s/1\r\n" + NAME + ": " + value + "\r\n\r\n";

        if ((c < ' ' && c != '\t') || c == 0x7f) {
            assertThatThrownBy(() -> read(head)).isInstanceOf(MalformedResponseException.class);
        } else {
            assertThat(read(head).value(NAME)).isEqualTo(value);
        }
    }

    @Property(tries = 1_000)
    void aSecondStatusLineIsRefusedWhereverItStands(@ForAll @IntRange(max = 24) int before) {
        String head = "HTTP/1.1 200 OK\r\n" + NAME + ": " + "a".repeat(before) + " HTTP/1.1 404 Not Found\r\n\r\n";

        assertThatThrownBy(() -> read(head)).hasMessageContaining("the beginning of one response");
    }

    private static ResponseHead read(String head) throws IOException {
        HeadDecoder decoder = new HeadDecoder(new MessageFraming());
        decoder.begin();
        return Objects.requireNonNull(
                decoder.read(Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.ISO_8859_1))), "the head is whole");
    }
}
