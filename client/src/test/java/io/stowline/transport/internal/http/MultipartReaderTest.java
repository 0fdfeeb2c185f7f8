package io.stowline.transport.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MultipartReaderTest {

    private static MultipartReader scanner(String text) {
        return new MultipartReader(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void walksOverParts() {
        MultipartReader parts = scanner("--b\r\n"
                + "Content-Type: application/http\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\n"
                + "ETag: one\r\n\r\n\r\n"
                + "--b\r\n\r\n"
                + "HTTP/1.1 409 Conflict\r\n\r\n"
                + "{\"a\":1}\r\n"
                + "--b--");

        assertThat(parts.next()).isTrue();
        assertThat(parts.status()).isEqualTo(204);
        assertThat(parts.header("etag")).isEqualTo("one");
        assertThat(parts.etag()).isEqualTo("one");
        assertThat(parts.body()).isBlank();
        assertThat(parts.next()).isTrue();
        assertThat(parts.status()).isEqualTo(409);
        assertThat(parts.header("etag")).isEmpty();
        assertThat(parts.etag()).isEmpty();
        assertThat(parts.body()).isEqualTo("{\"a\":1}\r\n");
        assertThat(parts.next()).isFalse();
        assertThat(parts.next()).isFalse();
    }

    @Test
    void findsHeadersInAnyCaseAndByTheirWholeName() {
        MultipartReader parts = scanner("HTTP/1.1 204\nX-ETag: wrong\nETAGS: wrong\neTaG:right \nlast: x");

        assertThat(parts.next()).isTrue();
        assertThat(parts.header("etag")).isEqualTo("right");
        assertThat(parts.etag()).isEqualTo("right");
        assertThat(parts.header("last")).isEqualTo("x");
        assertThat(parts.header("missing")).isEmpty();
    }

    @Test
    void statusLineWithoutNumberHasStatusZero() {
        for (String line : new String[] {"HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 abc\r\n", "HTTP/1.1 2 4"}) {
            MultipartReader parts = scanner(line);
            assertThat(parts.next()).isTrue();
            assertThat(parts.status()).isZero();
        }
    }

    @Test
    void readsUtf8InBodies() {
        MultipartReader parts = scanner("HTTP/1.1 400 Bad\n\n{\"m\":\"東京\"}");

        assertThat(parts.next()).isTrue();
        assertThat(parts.body()).isEqualTo("{\"m\":\"東京\"}");
    }

    @Property
    @Label("OUTCOME-4: headers are found wherever their lines end")
    void findsLinesOfAnyLength(
            @ForAll @IntRange(max = 40) int before, @ForAll @IntRange(max = 40) int length, @ForAll boolean bare) {
        String end = bare ? "\n" : "\r\n";
        String value = "v".repeat(length);
        MultipartReader parts = scanner("x".repeat(before) + end + "HTTP/1.1 204 " + "r".repeat(length) + end + "A: "
                + "a".repeat(before) + end + "ETag: \t" + value + " " + end + end + end + "--b");

        assertThat(parts.next()).isTrue();
        assertThat(parts.status()).isEqualTo(204);
        assertThat(parts.header("ETAG")).isEqualTo(value);
        assertThat(parts.etag()).isEqualTo(value);
        assertThat(parts.header("a")).isEqualTo("a".repeat(before));
        assertThat(parts.isComplete()).isTrue();
        assertThat(parts.next()).isFalse();
    }

    @Property
    @Label("OUTCOME-4: any bytes at all are walked over without an error and to an end")
    void survivesAnything(@ForAll byte[] junk, @ForAll boolean likely) {
        byte[] bytes = likely
                ? ("HTTP/1.1 " + new String(junk, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1)
                : junk;
        MultipartReader parts = new MultipartReader(bytes);
        int count = 0;
        while (parts.next()) {
            assertThat(parts.header("etag")).isNotNull();
            assertThat(parts.etag()).isEqualTo(parts.header("etag"));
            assertThat(parts.body()).isNotNull();
            count++;
        }

        assertThat(count).isLessThanOrEqualTo(bytes.length / 7 + 1);
    }
}
