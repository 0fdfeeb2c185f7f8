package io.stowline.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.stowline.Stowline;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServedBlobTest {

    private static final String ETAG = "\"0x8D1\"";
    private static final BlobInfo BLOB = blob(10);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "If-None-Match     | \"0x8D1\"                      | 304",
                "If-None-Match     | W/\"0x8D1\"                    | 304",
                "If-None-Match     | \"a,b\", W/\"c\" ,\"0x8D1\"    | 304",
                "If-None-Match     | *                              | 304",
                "If-None-Match     | \"0x8D2\"                      | 200",
                "If-None-Match     | 0x8D1                          | 200",
                "If-None-Match     | \"x\"0x8D1\"                   | 200",
                "If-Match          | \"0x8D1\"                      | 200",
                "If-Match          | \"a\",\"0x8D1\"                | 200",
                "If-Match          | *                              | 200",
                "If-Match          | W/\"0x8D1\"                    | 412",
                "If-Match          | \"0x8D2\"                      | 412",
                "If-Modified-Since | Thu, 05 Mar 2026 10:00:07 GMT  | 304",
                "If-Modified-Since | Thu, 05 Mar 2026 10:00:06 GMT  | 200",
                "If-Modified-Since | Thursday, 05-Mar-26 10:00:07 GMT | 304",
                "If-Modified-Since | Thursday, 05-Mar-26 10:00:06 GMT | 200",
                "If-Modified-Since | Thu Mar  5 10:00:07 2026        | 304",
                "If-Modified-Since | Thu Mar  5 10:00:06 2026        | 200",
                "If-Unmodified-Since | Thursday, 05-Mar-26 10:00:06 GMT | 412",
                "If-Modified-Since | Sunday, 06-Nov-94 08:49:37 GMT   | 200",
                "If-Modified-Since | yesterday                      | 200",
                "If-Unmodified-Since | Thu, 05 Mar 2026 10:00:07 GMT | 200",
                "If-Unmodified-Since | Thu, 05 Mar 2026 10:00:06 GMT | 412",
                "If-Unmodified-Since | yesterday                     | 200",
            })
    void conditionsDecideTheStatus(String name, String value, int status) {
        for (String method : List.of("GET", "HEAD")) {
            ServedBlob served = served(BLOB, method, name, value);

            assertThat(served.status()).isEqualTo(status);
            assertThat(served.hasContent()).isEqualTo(status == 200 && method.equals("GET"));
            assertThat(served.headers().containsKey("Content-Length")).isEqualTo(status == 200);
            assertThat(served.headers().containsKey("ETag")).isEqualTo(status != 412);
        }
    }

    @Test
    void aTagComesBeforeADate() {
        assertThat(served(
                                BLOB,
                                "GET",
                                "If-None-Match",
                                "\"0x8D2\"",
                                "If-Modified-Since",
                                "Thu, 05 Mar 2026 10:00:07 GMT")
                        .status())
                .isEqualTo(200);
        assertThat(served(BLOB, "GET", "If-Match", ETAG, "If-Unmodified-Since", "Thu, 05 Mar 2026 10:00:06 GMT")
                        .status())
                .isEqualTo(200);
        assertThat(served(BLOB, "GET", "If-Match", "\"0x8D2\"", "If-None-Match", ETAG)
                        .status())
                .isEqualTo(412);
        assertThat(served(BLOB, "GET", "If-None-Match", ETAG, "Range", "bytes=0-1")
                        .status())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=2-4, bytes 2-4/10",
        "bytes=2-, bytes 2-9/10",
        "bytes=-3, bytes 7-9/10",
        "bytes=-30, bytes 0-9/10",
        "bytes=9-99999999999999999999, bytes 9-9/10",
        "bytes=9-9223372036854775807, bytes 9-9/10",
        "Bytes = 0-0, bytes 0-0/10",
    })
    void aRangeIsAPart(String range, String contentRange) {
        ServedBlob served = served(BLOB, "GET", "Range", range);

        assertThat(served.status()).isEqualTo(206);
        assertThat(served.headers())
                .containsEntry("Content-Range", contentRange)
                .containsEntry("Content-Length", Long.toString(served.length()));
        assertThat("bytes " + served.offset() + "-" + (served.offset() + served.length() - 1) + "/10")
                .isEqualTo(contentRange);
        assertThat(served.download(DownloadSettings.builder()).build())
                .isEqualTo(DownloadSettings.builder()
                        .asStored()
                        .ifMatch(ETAG)
                        .range(served.offset(), served.length())
                        .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999-"})
    void aRangeThatTheBlobLacksIsRefusedWithItsSize(String range) {
        ServedBlob served = served(BLOB, "GET", "Range", range);

        assertThat(served.status()).isEqualTo(416);
        assertThat(served.hasContent()).isFalse();
        assertThat(served.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of("Accept-Ranges", "bytes", "Content-Range", "bytes */10"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=4-2", "bytes=-", "bytes=1-2,4-5", "rows=1-2", "bytes=a-b", ""})
    void anotherRangeIsServedWhole(String range) {
        ServedBlob served = served(BLOB, "GET", "Range", range);

        assertThat(served.status()).isEqualTo(200);
        assertThat(served.length()).isEqualTo(10);
        assertThat(served.download(DownloadSettings.builder()).build())
                .isEqualTo(DownloadSettings.builder().asStored().ifMatch(ETAG).build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"0x8D1\"                     | 206",
                "W/\"0x8D1\"                   | 200",
                "\"0x8D2\"                     | 200",
                "Thu, 05 Mar 2026 10:00:07 GMT | 206",
                "Thu, 05 Mar 2026 10:00:08 GMT | 200",
                "yesterday                     | 200",
            })
    void ifRangeNamesTheVersionOfTheRange(String condition, int status) {
        assertThat(served(BLOB, "GET", "Range", "bytes=0-0", "If-Range", condition)
                        .status())
                .isEqualTo(status);
    }

    @Test
    void anEmptyBlobHasNoContent() {
        assertThat(served(blob(0), "GET").status()).isEqualTo(200);
        assertThat(served(blob(0), "GET").hasContent()).isFalse();
        assertThat(served(blob(0), "GET").headers()).containsEntry("Content-Length", "0");
        assertThat(served(blob(0), "GET", "Range", "bytes=-5").status()).isEqualTo(200);
        assertThat(served(blob(0), "GET", "Range", "bytes=0-").status()).isEqualTo(416);
    }

    @Test
    void aHeadHasTheHeadersOfTheWholeBlob() {
        ServedBlob head = served(BLOB, "HEAD", "Range", "bytes=0-1");

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.hasContent()).isFalse();
        assertThat(head.headers()).isEqualTo(served(BLOB, "GET").headers()).containsEntry("Content-Length", "10");
    }

    @Test
    void anotherMethodIsNotAllowed() {
        ServedBlob served = served(BLOB, "POST");

        assertThat(served.status()).isEqualTo(405);
        assertThat(served.hasContent()).isFalse();
        assertThat(served.headers()).containsExactly(Map.entry("Allow", "GET, HEAD"));
    }

    @Test
    void theHeadersAreThoseOfTheBlob() {
        assertThat(served(BLOB, "GET").headers())
                .containsExactly(
                        Map.entry("ETag", ETAG),
                        Map.entry("Last-Modified", "Thu, 05 Mar 2026 10:00:07 GMT"),
                        Map.entry("Accept-Ranges", "bytes"),
                        Map.entry("Cache-Control", "max-age=60"),
                        Map.entry("Content-Type", "text/plain"),
                        Map.entry("Content-Encoding", "gzip"),
                        Map.entry("Content-Length", "10"));
        assertThat(served(BLOB, "GET", "If-None-Match", ETAG).headers())
                .containsOnlyKeys("ETag", "Last-Modified", "Accept-Ranges", "Cache-Control");
    }

    @Test
    void aVersionWithoutATagIsServedByItsDate() {
        BlobInfo untagged = new BlobInfo("a", 3, "", BLOB.lastModified(), null, BlobHeaders.none(), null, Map.of());

        ServedBlob served = served(untagged, "GET", "If-None-Match", "\"\"");

        assertThat(served.status()).isEqualTo(200);
        assertThat(served.headers())
                .doesNotContainKey("ETag")
                .containsEntry("Content-Type", "application/octet-stream");
        assertThat(served.download(DownloadSettings.builder()).build().ifMatch())
                .isEmpty();
    }

    @Property(tries = 500)
    void theBytesOfAPartAreThoseThatTheRangeNames(
            @ForAll @IntRange(max = 40) int first,
            @ForAll @IntRange(max = 40) int last,
            @ForAll @IntRange(min = 1, max = 30) int size) {
        byte[] content = new byte[size];
        for (int i = 0; i < size; i++) {
            content[i] = (byte) i;
        }

        ServedBlob served = served(blob(size), "GET", "Range", "bytes=" + first + "-" + last);

        if (last < first) {
            assertThat(served.status()).isEqualTo(200);
        } else if (first >= size) {
            assertThat(served.status()).isEqualTo(416);
        } else {
            assertThat(Arrays.copyOfRange(content, (int) served.offset(), (int) (served.offset() + served.length())))
                    .isEqualTo(Arrays.copyOfRange(content, first, Math.min(last + 1, size)));
        }
    }

    @Test
    void aServerOfTheJdkServesBlobs() throws Exception {
        MemoryStorage memory = MemoryStorage.create();
        try (Stowline storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build()) {
            BlobContainer photos = storage.container("photos");
            photos.create();
            photos.upload("0123456789".getBytes(StandardCharsets.UTF_8), "a");
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> serve(photos, exchange));
            server.start();
            try {
                URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/a");
                HttpClient client = HttpClient.newHttpClient();

                HttpResponse<String> whole = get(client, uri);
                assertThat(whole.statusCode()).isEqualTo(200);
                assertThat(whole.body()).isEqualTo("0123456789");
                String etag = whole.headers().firstValue("ETag").orElseThrow();
                assertThat(get(client, uri, "If-None-Match", "\"x\", W/" + etag).statusCode())
                        .isEqualTo(304);
                HttpResponse<String> part = get(client, uri, "Range", "bytes=-4", "If-Range", etag);
                assertThat(part.statusCode()).isEqualTo(206);
                assertThat(part.body()).isEqualTo("6789");
                assertThat(part.headers().firstValue("Content-Range")).contains("bytes 6-9/10");
                assertThat(get(client, uri, "Range", "bytes=10-").statusCode()).isEqualTo(416);
                HttpResponse<Void> head = client.send(
                        HttpRequest.newBuilder(uri)
                                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
                assertThat(head.headers().firstValue("Content-Length")).contains("10");
            } finally {
                server.stop(0);
            }
        }
    }

    private static void serve(BlobContainer photos, HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring(1);
        ServedBlob served =
                ServedBlob.of(photos.info(name), exchange.getRequestMethod(), exchange.getRequestHeaders()::getFirst);
        try (exchange;
                BlobDownload blob = served.hasContent() ? photos.openDownload(name, served::download) : null) {
            served.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(served.status(), served.hasContent() ? served.length() : -1);
            if (blob != null) {
                blob.stream().transferTo(exchange.getResponseBody());
            }
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI uri, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static ServedBlob served(BlobInfo blob, String method, String... headers) {
        Map<String, String> request = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < headers.length; i += 2) {
            request.put(headers[i], headers[i + 1]);
        }
        return ServedBlob.of(blob, method, request::get);
    }

    private static BlobInfo blob(long size) {
        BlobHeaders headers = BlobHeaders.none().toBuilder()
                .contentType("text/plain")
                .contentEncoding("gzip")
                .cacheControl("max-age=60")
                .build();
        return new BlobInfo("a", size, ETAG, Instant.parse("2026-03-05T10:00:07.5Z"), null, headers, null, Map.of());
    }
}
