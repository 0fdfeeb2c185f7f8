package io.stowline.table.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.error.ProtocolException;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.QuerySpec.QueryString;
import io.stowline.table.internal.write.TableListing;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The readers of the table service's responses, with 1 MB of the worst text, and with 10 MB where {@code stowline.explore} is above 1. A
 * quadratic one takes minutes.
 */
@Timeout(60)
class HostileResponseTest {

    private static final int SIZE = Integer.getInteger("stowline.explore", 1) > 1 ? 10_000_000 : 1_000_000;
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2024-02-29T12:00:00Z"), ZoneOffset.UTC);

    private static byte[] much(String before, String part) {
        return (before + part.repeat(SIZE / part.length())).getBytes(StandardCharsets.UTF_8);
    }

    private static StorageResponse response(int status, byte[] body) {
        return new StorageResponse(status, new HttpHeaders(), body);
    }

    static Stream<Arguments> pages() {
        return Stream.of(
                        "{",
                        "[",
                        "\"",
                        "\\\"",
                        "\\u0041",
                        "a",
                        "ä",
                        "9",
                        "0",
                        " ",
                        "\"a\":1,",
                        "\"a\":[[[[",
                        "{\"RowKey\":\"r\"},")
                .flatMap(part -> Stream.of("", "{\"value\":[{", "{\"value\":[{\"Text\":\"")
                        .map(before -> Arguments.of(before, part)));
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: pages and entities are read in time that grows with their length")
    @MethodSource("pages")
    void rows(String before, String part) {
        byte[] body = much(before, part);
        assertThat(read(() -> RowDecoder.rows(new QueryPage(response(200, body), null), Operations.CODEC.reader())))
                .isIn(true, false);
        assertThat(read(() -> RowDecoder.row(response(200, body), Operations.CODEC)))
                .isIn(true, false);
        assertThat(read(() -> TableListing.read(response(200, body)))).isIn(true, false);
        try {
            new JsonCursor(body).skip();
        } catch (IOException e) {
            assertThat(e.getMessage()).hasSizeLessThan(300);
        }
    }

    /** True if it was readable; anything but a protocol error fails the test. */
    private static boolean read(Runnable reading) {
        try {
            reading.run();
            return true;
        } catch (ProtocolException e) {
            assertThat(e.getMessage()).hasSizeLessThan(5_000);
            return false;
        }
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: so are the parts of a batch's response")
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 204\n--",
                "HTTP/1.1 204\n\n--b\n",
                "HTTP/1.1 400\n",
                "HTTP/1.1 400 Bad\nx-ms-error-code: a\n",
                "HTTP/1.",
                "--",
                "-",
                "\r\n",
                "\r",
                "\n",
                "etag:",
                "ETag: a\n",
                "a"
            })
    void batches(String part) {
        for (String before : List.of("", "HTTP/1.1 204 No Content\r\n", "HTTP/1.1 409 Conflict\r\n\r\n")) {
            ParseResult<List<String>> reading =
                    new BatchResponseParser(2, CLOCK).read(response(202, much(before, part)));

            assertThat(reading).isNotInstanceOf(ParseResult.Value.class);
        }
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: so are the marks of continuations and versions")
    @ValueSource(strings = {"a", " ", "\"", "%"})
    void headers(String part) {
        String text = part.repeat(SIZE);
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.ETAG, text)
                .set(HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey"), text)
                .set(HttpHeaderName.fromString("x-ms-continuation-NextRowKey"), text);
        StorageResponse response = new StorageResponse(200, headers, new byte[0]);
        QueryString query = new QueryString();
        Continuation continuation = Continuation.of(response);

        assertThat(continuation).isNotNull();
        continuation.addTo(query);
        assertThat(query.toString()).hasSizeGreaterThan(SIZE);
    }
}
