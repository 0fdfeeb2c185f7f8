package io.stowline.transport.internal.netty.direct;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaderName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.stowline.transport.internal.http.MalformedResponseException;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StrayResponseException;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ResponseDecoderTest {

    private final ResponseDecoder decoder = new ResponseDecoder();

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text.replace("|", "\r\n"), ISO_8859_1);
    }

    /** Feeds bytes as a connection does; true if the response has ended. */
    private boolean read(ByteBuf in) throws IOException {
        if (!decoder.pastHead() && decoder.readHead(in) == null) {
            return false;
        }
        return decoder.readBody(in);
    }

    private String body() {
        return new String(decoder.body(), ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 200 OK|Content-Length: 5||hello, 200, hello, true",
        "HTTP/1.1 200|Content-Length: 0||, 200, '', true",
        "HTTP/1.1 204 No Content|ETag: W/\"1\"||, 204, '', true",
        "HTTP/1.1 204 No Content|Content-Length: 0||, 204, '', true",
        "HTTP/1.1 204 No Content|Content-Length: 3||, 204, '', false",
        "HTTP/1.1 304 Not Modified|Content-Length: 30||, 304, '', true",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|3;x=y|you|0|Trailer: x||, 200, helloyou, true",
        "HTTP/1.1 200 OK|transfer-encoding: CHUNKED|Content-Length: 4||A|0123456789|0||, 200, 0123456789, false",
        "HTTP/1.1 409 Conflict|Connection: keep-alive|Content-Length: 2||{}, 409, {}, true",
        "HTTP/1.1 409 Conflict|Connection: x; Close |Content-Length: 2||{}, 409, {}, true",
        "'HTTP/1.1 409 Conflict|Connection: x, Close |Content-Length: 2||{}', 409, {}, false",
        "HTTP/1.0 200 OK|Content-Length: 2||{}, 200, {}, false",
        "HTTP/1.1 103 Early Hints|Link: <x>||HTTP/1.1 100 Continue||HTTP/1.1 200 OK|Content-Length: 1||a, 200, a, true",
        "HTTP/1.1 200 OK|Via: HTTP/1.1 gateway|Content-Length: 1|Content-Length: 1||a, 200, a, true"
    })
    void readsResponsesHoweverTheyAreCut(String text, int status, String body, boolean persistent) throws IOException {
        int length = bytes(text).readableBytes();
        for (int size = 1; size <= length; size++) {
            decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
            ByteBuf in = bytes(text + "next");
            boolean ended = false;
            for (int at = 0; at < length; at += size) {
                assertThat(ended).isFalse();
                ended = read(in.slice(at, Math.min(size, length - at)));
            }
            assertThat(ended).isTrue();
            assertThat(decoder.head().status()).isEqualTo(status);
            assertThat(body()).isEqualTo(body);
            assertThat(decoder.persistent()).isEqualTo(persistent);
        }
    }

    @Test
    @DisplayName("OUTCOME-0: no byte behind the end of a response is taken")
    void leavesWhatComesAfter() throws IOException {
        for (String response : new String[] {
            "HTTP/1.1 204 No Content||",
            "HTTP/1.1 200 OK|Content-Length: 2||{}",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|{}|0||"
        }) {
            decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
            ByteBuf in = bytes(response + "HTTP/1.1 500");
            assertThat(read(in)).isTrue();
            assertThat(in.toString(ISO_8859_1)).isEqualTo("HTTP/1.1 500");
        }
    }

    @Test
    void theResponseToHeadHasNoBody() throws IOException {
        decoder.begin(true, null, ResponseBounds.PAGE_BYTES);
        assertThat(read(bytes("HTTP/1.1 200 OK|Content-Length: 700||"))).isTrue();
        assertThat(decoder.body()).isEmpty();
        assertThat(decoder.persistent()).isTrue();
        assertThat(decoder.head().value(HttpHeaderName.CONTENT_LENGTH)).isEqualTo("700");
    }

    @Test
    void aBodyOfOpenLengthEndsWithItsConnection() throws IOException {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThat(read(bytes("HTTP/1.1 200 OK||hel"))).isFalse();
        assertThat(read(bytes("lo"))).isFalse();
        assertThat(decoder.endOfStream()).isTrue();
        assertThat(body()).isEqualTo("hello");
        assertThat(decoder.persistent()).isFalse();
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: a response that is cut off has not ended with its connection")
    @ValueSource(
            strings = {
                "HTTP/1.1 20",
                "HTTP/1.1 200 OK|x: y",
                "HTTP/1.1 200 OK|Content-Length: 5||hell",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|"
            })
    void cutResponses(String text) throws IOException {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThat(read(bytes(text))).isFalse();
        assertThat(decoder.endOfStream()).isFalse();
    }

    @Test
    void looksUpAndCopiesHeaders() throws IOException {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        read(bytes(
                "HTTP/1.1 200 OK|ETag:  \"1\" \t|x-ms-Meta-A: b|Empty:|Long: one|  two|A: 1|a: 2|Content-Length: 0||"));
        ResponseHead head = decoder.head();
        assertThat(head.value(HttpHeaderName.ETAG)).isEqualTo("\"1\"");
        assertThat(head.value(HttpHeaderName.fromString("X-MS-META-a"))).isEqualTo("b");
        assertThat(head.value(HttpHeaderName.fromString("empty"))).isEmpty();
        assertThat(head.value(HttpHeaderName.fromString("long"))).isEqualTo("one    two");
        assertThat(head.value(HttpHeaderName.fromString("a"))).isEqualTo("1");
        assertThat(head.value(HttpHeaderName.DATE)).isNull();
        assertThat(head.startingWith("x-ms-meta-")).containsOnly(Map.entry("A", "b"));
        assertThat(head.startingWith("x-ms-meta-a-long-name")).isEmpty();
        assertThat(head.all().getValue(HttpHeaderName.ETAG)).isEqualTo("\"1\"");
        assertThat(head.all().getValues(HttpHeaderName.fromString("a"))).containsExactly("1", "2");
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: what breaks the rules of HTTP is no response")
    @ValueSource(
            strings = {
                "hello",
                "ICY 200 OK||",
                "HTTP/2.0 200 OK||",
                "HTTP/1.1 2x0 OK||",
                "HTTP/1.1 099 No||",
                "HTTP/1.1 2000 No||",
                "HTTP/1.1-200 OK||",
                "HTTP/1.1 200 OK\n\n",
                "|HTTP/1.1 200 OK||",
                "HTTP/1.1 101 Switching Protocols|Upgrade: x||",
                "HTTP/1.1 200 OK|no colon||",
                "HTTP/1.1 200 OK|: no name||",
                "HTTP/1.1 200 OK| x: y||",
                "HTTP/1.1 200 OK|space : y||",
                "HTTP/1.1 200 OK|sl/ash: y||",
                "HTTP/1.1 200 OK|\u00fcber: y||",
                "HTTP/1.1 200 OK|x: \0||",
                "HTTP/1.1 200 OK|x: a\rb||",
                "HTTP/1.1 200 OK|Content-Length: 1|Content-Length: 2||",
                "HTTP/1.1 200 OK|Content-Length: -1||",
                "HTTP/1.1 200 OK|Content-Length: 1x||",
                "HTTP/1.1 200 OK|Content-Length:||",
                "HTTP/1.1 200 OK|Content-Length: 1234567890123456789||",
                "HTTP/1.1 200 OK|Transfer-Encoding: gzip||",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked|Transfer-Encoding: chunked||",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||x|",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked|||",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5 6|",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1\n",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|ab|",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1234567890123456|"
            })
    void malformedResponses(String text) {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes(text))).isInstanceOf(MalformedResponseException.class);
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: two heads that ran together are no response")
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content|x: ",
                "HTTP/1.1 204 No Content|x: abc",
                "HTTP/1.1 204 No Content|ETag: \"late\"|x-other",
                "HTTP/1.1 204 No Content|ETag: \"late\"|",
                "HTTP/1.1 204 No Con",
                "HTTP/1.1 204 "
            })
    void gluedHeads(String late) {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes(late + "HTTP/1.1 409 Conflict|Content-Length: 0||")))
                .isInstanceOf(StrayResponseException.class);
    }

    @Test
    @DisplayName("RETRY-3: what is read of a head is bounded")
    void endlessHeads() {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes("HTTP/1.1 200 OK|x: " + "y".repeat(8_193) + "|")))
                .isInstanceOf(ResponseTooLongException.class)
                .hasMessageContaining("8193");
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes("HTTP/1.1 200 OK|" + ("x: " + "y".repeat(1_000) + "|").repeat(40))))
                .isInstanceOf(ResponseTooLongException.class)
                .hasMessageContaining("32768");
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|" + "x: y|".repeat(10_000))))
                .isInstanceOf(ResponseTooLongException.class);
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked||0;" + "x".repeat(10_000))))
                .isInstanceOf(MalformedResponseException.class);
    }

    @Test
    @DisplayName("RETRY-3: the body of an error is cut off, and any other one beyond the bound is refused")
    void endlessBodies() throws IOException {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThat(read(bytes("HTTP/1.1 400 Bad|Content-Length: 99999999||" + "x".repeat(70_000))))
                .isTrue();
        assertThat(decoder.body()).hasSize(64 << 10);
        assertThat(decoder.persistent()).isFalse();

        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        read(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked||"));
        ByteBuf chunk = bytes("100000|" + "x".repeat(1 << 20) + "|");
        for (int i = 0; i < 16; i++) {
            assertThat(read(chunk.duplicate())).isFalse();
        }
        assertThatThrownBy(() -> read(chunk)).isInstanceOf(ResponseTooLongException.class);
    }

    @ParameterizedTest
    @DisplayName(
            "whatever bytes come, they are a response or an error of input, and the decoder reads the next response")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void damagedResponses(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        String[] responses = {
            "HTTP/1.1 200 OK|ETag: \"1\"|Content-Length: 5||hello",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|a: b||",
            "HTTP/1.1 100 Continue||HTTP/1.1 204 No Content|x: y| z||"
        };
        for (int round = 0; round < 5_000; round++) {
            ByteBuf damaged = bytes(responses[random.nextInt(responses.length)]);
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged.setByte(random.nextInt(damaged.readableBytes()), random.nextInt(256));
            }
            decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
            try {
                boolean ended = false;
                while (damaged.isReadable() && !ended) {
                    ended = read(damaged.readSlice(1 + random.nextInt(damaged.readableBytes())));
                }
                assertThat(!ended || decoder.pastHead()).isTrue();
            } catch (IOException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
            decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
            assertThat(read(bytes(responses[0]))).isTrue();
            assertThat(body()).isEqualTo("hello");
        }
    }

    @Test
    @DisplayName("a folded header costs its length, however many lines it has")
    void foldedHeadersCostTheirLength() throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 200 OK|Content-Length: 0|");
        for (int i = 0; i < 3; i++) {
            head.append("x").append(i).append(": /").append("| /".repeat(1_900)).append("|");
        }
        ByteBuf in = bytes(head + "|");
        int length = in.readableBytes();
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        while (in.isReadable()) {
            read(in.readSlice(Math.min(7, in.readableBytes())));
        }
        assertThat(length).isGreaterThan(20_000);
        assertThat(decoder.head().value(HttpHeaderName.fromString("x2"))).hasSizeGreaterThan(7_000);
        assertThat(decoder.work()).isLessThan(4L * length);
    }

    @Test
    @DisplayName("a folded header is refused as soon as it is too long")
    void foldedHeadersAreBounded() {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes("HTTP/1.1 200 OK|x: y" + "| z".repeat(3_000))))
                .isInstanceOf(ResponseTooLongException.class);
        assertThat(decoder.work()).isLessThan(60_000);
    }

    @ParameterizedTest
    @CsvSource({"Long: |  two, two", "Long: one| \t|  two| , one      two", "Long:| |  , ''"})
    void blanksAroundFoldsAreNoneOfTheValue(String header, String value) throws IOException {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        read(bytes("HTTP/1.1 200 OK|" + header + "|Content-Length: 0||"));
        assertThat(decoder.head().value(HttpHeaderName.fromString("long")).replaceAll("[ \t]+", " "))
                .isEqualTo(value.replaceAll("[ \t]+", " "));
    }

    @Test
    @DisplayName("WORLD-4: interim responses are bounded in number and in bytes")
    void boundsInterimResponses() throws IOException {
        String hint = "HTTP/1.1 103 Early Hints|Link: <x>||";
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThat(read(bytes(hint.repeat(16) + "HTTP/1.1 204 No Content||"))).isTrue();
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThat(read(bytes(hint.repeat(16) + "HTTP/1.1 204 No Content||"))).isTrue();
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes(hint.repeat(17))))
                .isInstanceOf(ResponseTooLongException.class)
                .hasMessageContaining("16 interim responses");
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        String large = "HTTP/1.1 103 Early Hints|Link: " + "x".repeat(8_000) + "||";
        assertThatThrownBy(() -> read(bytes(large.repeat(5)))).isInstanceOf(ResponseTooLongException.class);
    }

    @Test
    @DisplayName("extensions of chunks are bounded in bytes, as trailers are")
    void boundsExtensionsOfChunks() {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        String chunk = "1;" + "x".repeat(8_000) + "|a|";
        assertThatThrownBy(() -> read(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked||" + chunk.repeat(5))))
                .isInstanceOf(ResponseTooLongException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"5\r|hello|0||", "5;a\0|hello|0||", "5\u001c|hello|0||", "0|trailer: a\rb||", "0|t: \u007f||"})
    @DisplayName("OUTCOME-0: a line of chunks with a control character is no response")
    void controlCharactersBetweenChunks(String chunks) {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        assertThatThrownBy(() -> read(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked||" + chunks)))
                .isInstanceOf(MalformedResponseException.class);
    }

    @Test
    void theLimitOfABodyIsThatOfItsRequest() throws IOException {
        ResponseDecoder decoder = new ResponseDecoder();
        decoder.begin(false, null, 4);
        ByteBuf allowed = bytes("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfour");
        decoder.readHead(allowed);
        decoder.accept();
        assertThat(decoder.readBody(allowed)).isTrue();

        decoder.begin(false, null, 4);
        decoder.readHead(bytes("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"));
        assertThatThrownBy(decoder::accept)
                .isInstanceOf(ResponseTooLongException.class)
                .hasMessageContaining("longer than 4 bytes");
    }

    @Test
    @DisplayName("a decoder whose response was taken keeps neither it nor the memory of a long head")
    void forgets() throws IOException {
        decoder.begin(false, null, ResponseBounds.PAGE_BYTES);
        int before = decoder.memory();
        assertThat(read(bytes("HTTP/1.1 200 OK|Transfer-Encoding: chunked|x: " + "y".repeat(7_000) + "||5;"
                        + "x".repeat(5_000) + "|hello|0||")))
                .isTrue();
        assertThat(decoder.memory()).isGreaterThan(10_000);
        decoder.forget();

        assertThat(decoder.keepsResponse()).isFalse();
        assertThat(decoder.persistent()).isTrue();
        assertThat(decoder.memory()).isLessThanOrEqualTo(before + 1_024);
    }
}
