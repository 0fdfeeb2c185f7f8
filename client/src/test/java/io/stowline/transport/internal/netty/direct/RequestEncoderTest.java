package io.stowline.transport.internal.netty.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RequestHeaders;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestEncoderTest {

    private static String encoded(
            HttpMethod method, String address, RequestHeaders headers, @Nullable RequestBody body) {
        int path = HttpOrigin.pathOf(address);
        ByteBuf bytes = RequestEncoder.encode(
                new DirectRequest(method, address, headers, body),
                HttpOrigin.of(address.substring(0, path)),
                address,
                UnpooledByteBufAllocator.DEFAULT);
        try {
            return bytes.toString(UTF_8);
        } finally {
            bytes.release();
        }
    }

    @Test
    void headAndBody() {
        RequestHeaders headers = new RequestHeaders()
                .set(HttpHeaderName.ACCEPT, "application/json")
                .set(HttpHeaderName.CONTENT_LENGTH, "4");

        assertThat(encoded(
                        HttpMethod.PUT,
                        "https://acct.test/t(PartitionKey='p%2Fq')?timeout=30",
                        headers,
                        RequestBody.of("body".getBytes(UTF_8))))
                .isEqualTo("PUT /t(PartitionKey='p%2Fq')?timeout=30 HTTP/1.1\r\nhost: acct.test\r\n"
                        + "Accept: application/json\r\ncontent-length: 4\r\n\r\nbody");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4 << 10, (4 << 10) + 1, 64 << 10, 128 << 10})
    void aBodyFollowsTheHeadWhateverItsLength(int length) {
        String text = "0123456789abcdef".repeat(length / 16 + 1).substring(0, length);
        byte[] bytes = text.getBytes(UTF_8);
        String head = "PUT /b HTTP/1.1\r\nhost: a\r\naccept: */*\r\ncontent-length: " + length + "\r\n\r\n";

        assertThat(encoded(HttpMethod.PUT, "http://a/b", new RequestHeaders(), RequestBody.of(bytes)))
                .isEqualTo(head + text);
        List<ByteBuffer> parts =
                List.of(ByteBuffer.wrap(bytes, 0, length / 3), ByteBuffer.wrap(bytes, length / 3, length - length / 3));
        assertThat(encoded(HttpMethod.PUT, "http://a/b", new RequestHeaders(), RequestBody.of(parts)))
                .isEqualTo(head + text);
        assertThat(parts).extracting(ByteBuffer::position).containsExactly(0, length / 3);
    }

    @Test
    void aLengthIsSentWhereABodyIsExpected() {
        assertThat(encoded(HttpMethod.POST, "http://a:8080", new RequestHeaders(), null))
                .isEqualTo("POST / HTTP/1.1\r\nhost: a:8080\r\naccept: */*\r\ncontent-length: 0\r\n\r\n");
        assertThat(encoded(HttpMethod.DELETE, "http://a?x", new RequestHeaders(), null))
                .isEqualTo("DELETE /?x HTTP/1.1\r\nhost: a\r\naccept: */*\r\n\r\n");
        assertThat(encoded(
                        HttpMethod.DELETE,
                        "http://a/",
                        new RequestHeaders().set(HttpHeaderName.CONTENT_LENGTH, "0"),
                        null))
                .contains("Content-Length: 0\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "http://a, a",
        "http://a:80, a",
        "http://a:443, a:443",
        "https://a:443, a",
        "https://a:80, a:80",
        "http://[::1]:10002, [::1]:10002"
    })
    void namesTheHost(String origin, String authority) {
        assertThat(encoded(HttpMethod.GET, origin + "/x", new RequestHeaders(), null))
                .contains("\r\nhost: " + authority + "\r\n");
        assertThat(HttpOrigin.of(origin).address().getHostString()).doesNotContain("[");
    }

    @Test
    void aGivenHostIsKept() {
        assertThat(encoded(HttpMethod.GET, "http://a/x", new RequestHeaders().set(HttpHeaderName.HOST, "b"), null))
                .contains("Host: b\r\n")
                .doesNotContain("host: a");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: nothing in a header or an address ends its line, and the error does not show it")
    @ValueSource(strings = {"secret\r\nx: y", "secret\n", "secret\u0000", "secret\u007f", "secret\u0001"})
    void refusesLineEnds(String text) {
        RequestHeaders headers = new RequestHeaders().set(HttpHeaderName.fromString("x-ms-meta-a"), text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encoded(HttpMethod.GET, "http://a/x", headers, null))
                .withMessageContaining("x-ms-meta-a")
                .withMessageNotContaining("secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encoded(HttpMethod.GET, "http://a/x?" + text, new RequestHeaders(), null))
                .withMessageNotContaining("secret");
        RequestHeaders named = new RequestHeaders().set(HttpHeaderName.fromString("x" + text), "y");
        assertThatIllegalArgumentException().isThrownBy(() -> encoded(HttpMethod.GET, "http://a/x", named, null));
    }

    @Test
    @DisplayName("RETRY-7: a character beyond Latin-1 becomes a question mark, never a byte that ends the line")
    void otherCharacters() {
        RequestHeaders headers =
                new RequestHeaders().set(HttpHeaderName.fromString("x-ms-meta-a"), "a\u010d\u010ab\tc");
        assertThat(encoded(HttpMethod.GET, "http://a/\u00e4", headers, null))
                .contains("GET /\u00e4 HTTP/1.1\r\n")
                .contains("x-ms-meta-a: a??b\tc\r\n");
    }
}
