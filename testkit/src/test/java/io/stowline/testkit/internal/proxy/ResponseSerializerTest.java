package io.stowline.testkit.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.StubResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.junit.jupiter.api.Test;

final class ResponseSerializerTest {

    private static final Delivery WHOLE = Delivery.WHOLE;

    @Property(tries = 300)
    @Label("a response is read back as it was, chunked or not")
    void isReadBackAsItWas(@ForAll @Size(max = 20_000) byte[] body, @ForAll boolean chunked) throws Exception {
        StubResponse response = response(body, chunked);

        byte[] wire = ResponseSerializer.of("GET", response, WHOLE);

        assertThat(body(wire)).isEqualTo(body);
    }

    @Property(tries = 300)
    @Label("a response that is cut carries the beginning of its body, and its end is missed")
    void isCutInItsBody(
            @ForAll @Size(min = 1, max = 20_000) byte[] body,
            @ForAll @IntRange(max = 25_000) int cut,
            @ForAll boolean chunked) {
        StubResponse response = response(body, chunked);

        byte[] wire = ResponseSerializer.of("GET", response, WHOLE.cutAfter(cut));

        assertThat(ResponseSerializer.of("GET", response, WHOLE).length).isGreaterThanOrEqualTo(wire.length);
        if (chunked || cut < body.length) {
            assertThat(isWhole(wire)).isFalse();
        } else {
            assertThat(isWhole(wire)).isTrue();
        }
    }

    @Test
    void putsAWrongLengthRight() {
        StubResponse response =
                StubResponse.of(200).header("content-length", "99").body(new byte[3]);

        assertThat(text(ResponseSerializer.of("GET", response, WHOLE)))
                .startsWith("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n");
    }

    @Test
    void leavesAHeadWithoutItsBody() {
        StubResponse response =
                StubResponse.of(200).header("Content-Length", "99").body(new byte[3]);

        assertThat(text(ResponseSerializer.of("HEAD", response, WHOLE)))
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n");
        assertThat(text(ResponseSerializer.of("GET", StubResponse.of(204).body(new byte[3]), WHOLE)))
                .isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
    }

    @Test
    void writesAStatusThatHasNoName() {
        assertThat(text(ResponseSerializer.of("GET", StubResponse.of(599), WHOLE)))
                .startsWith("HTTP/1.1 599");
    }

    @Test
    void writesWhatLatinHasNoLetterForAsAQuestionMark() {
        assertThat(text(ResponseSerializer.of("GET", StubResponse.of(200).header("x-ms-meta", "é\u0142"), WHOLE)))
                .contains("x-ms-meta: é?\r\n");
    }

    private static StubResponse response(byte[] body, boolean chunked) {
        StubResponse response = StubResponse.of(200).body(body);
        return chunked ? response.header("Transfer-Encoding", "chunked") : response;
    }

    private static boolean isWhole(byte[] wire) {
        try {
            body(wire);
            return true;
        } catch (IOException | HttpException e) {
            return false;
        }
    }

    private static byte[] body(byte[] wire) throws IOException, HttpException {
        try (DefaultBHttpClientConnection connection = HttpSyntax.client(new Replay(wire))) {
            ClassicHttpResponse response = connection.receiveResponseHeader();
            connection.receiveResponseEntity(response);
            return HttpSyntax.body(response.getEntity(), Integer.MAX_VALUE - 8, "it");
        }
    }

    private static String text(byte[] wire) {
        return new String(wire, StandardCharsets.ISO_8859_1);
    }

    /** A connection over which some bytes come. */
    private static final class Replay extends Socket {

        private final ByteArrayInputStream in;

        Replay(byte[] bytes) {
            in = new ByteArrayInputStream(bytes);
        }

        @Override
        public ByteArrayInputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return new ByteArrayOutputStream();
        }
    }
}
