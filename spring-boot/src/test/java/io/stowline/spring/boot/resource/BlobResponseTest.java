package io.stowline.spring.boot.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.spring.boot.web.ProblemException;
import io.stowline.spring.boot.web.ProblemType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.RequestEntity;

class BlobResponseTest {

    private static final String LARGE = "0123456789".repeat(100_000);

    private static TwoAccounts accounts;
    private static WebInstance instance;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        accounts = new TwoAccounts();
        accounts.photos().upload("hello".getBytes(UTF_8), "a.txt", o -> o.contentType("text/plain;charset=utf-8")
                .headers(h -> h.cacheControl("max-age=60").contentLanguage("en").contentDisposition("inline")));
        accounts.put("large.txt", LARGE);
        accounts.photos().upload(new byte[1], "strange", o -> o.contentType("no type"));
        accounts.photos().upload(new byte[1], "wild", o -> o.contentType("*/*"));
        accounts.photos().upload(new byte[1], "half", o -> o.contentType("text/*"));
        accounts.furtherPhotos().upload("further".getBytes(UTF_8), "a.txt");
        instance = new WebInstance(accounts);
    }

    @AfterAll
    static void stop() throws Exception {
        instance.close();
        accounts.close();
    }

    private static HttpResponse<String> get(String path, String... headers) throws Exception {
        return send(HttpRequest.newBuilder(instance.at(path)), headers);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request, String... headers) throws Exception {
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    private static int requests() {
        return accounts.main.requests().size();
    }

    @Test
    @DisplayName("TRANSFER-2: a response has the ETag, the time and the headers of the blob, by one request")
    void whole() throws Exception {
        int before = requests();
        HttpResponse<String> response = get("/photos/a.txt");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("hello");
        assertThat(header(response, "ETag"))
                .isEqualTo(accounts.photos().info("a.txt").etag());
        assertThat(header(response, "Last-Modified")).isNotBlank();
        assertThat(header(response, "Content-Type")).isEqualToIgnoringCase("text/plain;charset=utf-8");
        assertThat(header(response, "Content-Length")).isEqualTo("5");
        assertThat(header(response, "Cache-Control")).isEqualTo("max-age=60");
        assertThat(header(response, "Content-Language")).isEqualTo("en");
        assertThat(header(response, "Content-Disposition")).isEqualTo("inline");
        assertThat(header(response, "Accept-Ranges")).isEqualTo("bytes");
        assertThat(requests()).isEqualTo(before + 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/photos/", "/static/"})
    @DisplayName("a version that the client has is a 304")
    void conditional(String path) throws Exception {
        HttpResponse<String> first = get(path + "a.txt");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("hello");

        HttpResponse<String> byEtag = get(path + "a.txt", "If-None-Match", header(first, "ETag"));
        assertThat(byEtag.statusCode()).isEqualTo(304);
        assertThat(byEtag.body()).isEmpty();
        assertThat(get(path + "a.txt", "If-Modified-Since", header(first, "Last-Modified"))
                        .statusCode())
                .isEqualTo(304);
        assertThat(get(path + "a.txt", "If-None-Match", "\"other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("If-Match of another version is a 412, also for a part and for HEAD")
    void otherVersion() throws Exception {
        String etag = header(get("/photos/a.txt"), "ETag");

        assertThat(get("/photos/a.txt", "If-Match", "\"other\"").statusCode()).isEqualTo(412);
        assertThat(get("/photos/a.txt", "If-Match", "\"other\"", "Range", "bytes=0-1")
                        .statusCode())
                .isEqualTo(412);
        assertThat(send(
                                HttpRequest.newBuilder(instance.at("/photos/a.txt"))
                                        .method("HEAD", HttpRequest.BodyPublishers.noBody()),
                                "If-Match",
                                "\"other\"")
                        .statusCode())
                .isEqualTo(412);
        assertThat(get("/photos/a.txt", "If-Unmodified-Since", "Thu, 01 Jan 2015 00:00:00 GMT")
                        .statusCode())
                .isEqualTo(412);
        assertThat(get("/photos/a.txt", "If-Match", "\"other\", " + etag, "Range", "bytes=1-2")
                        .body())
                .isEqualTo("el");
        assertThat(get("/photos/a.txt", "If-Match", "*").body()).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/photos/", "/static/", "/plain/"})
    @DisplayName("parts are requested from the service as parts")
    void parts(String path) throws Exception {
        int before = requests();
        HttpResponse<String> part = get(path + "large.txt", "Range", "bytes=500005-500014");

        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("5678901234");
        assertThat(header(part, "Content-Range")).isEqualTo("bytes 500005-500014/1000000");
        assertThat(requests() - before)
                .as("facts, and at most two ranges of 512 KiB")
                .isBetween(2, 3);
        assertThat(get(path + "large.txt", "Range", "bytes=-5").body()).isEqualTo("56789");
        assertThat(get(path + "large.txt", "Range", "bytes=1000000-").statusCode())
                .isEqualTo(416);
        assertThat(get(path + "large.txt", "Range", "bytes=nonsense").statusCode())
                .isEqualTo(416);
        HttpResponse<String> several = get(path + "large.txt", "Range", "bytes=0-1,999998-");
        assertThat(several.statusCode()).isEqualTo(206);
        assertThat(several.body()).contains("bytes 0-1/1000000", "01", "bytes 999998-999999/1000000", "89");
        assertThat(get(path + "large.txt").body()).isEqualTo(LARGE);
    }

    @Test
    @DisplayName("If-Range with another version gets the whole of the present one")
    void ifRange() throws Exception {
        HttpResponse<String> first = get("/photos/a.txt");
        List<String> present = List.of(header(first, "ETag"), header(first, "Last-Modified"));
        for (String condition : present) {
            assertThat(get("/photos/a.txt", "Range", "bytes=1-2", "If-Range", condition)
                            .body())
                    .as(condition)
                    .isEqualTo("el");
        }
        for (String condition : List.of("\"other\"", "W/\"other\"", "Wed, 21 Oct 2015 07:28:00 GMT", "nonsense")) {
            HttpResponse<String> whole = get("/photos/a.txt", "Range", "bytes=1-2", "If-Range", condition);
            assertThat(whole.statusCode()).as(condition).isEqualTo(200);
            assertThat(whole.body()).isEqualTo("hello");
            assertThat(header(whole, "Content-Length")).isEqualTo("5");
            assertThat(header(whole, "ETag")).isEqualTo(present.get(0));
        }
    }

    @Test
    @DisplayName("HEAD reads no content beyond that of the facts")
    void head() throws Exception {
        int before = requests();
        HttpResponse<String> response = send(HttpRequest.newBuilder(instance.at("/photos/large.txt"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Length")).isEqualTo("1000000");
        assertThat(header(response, "ETag")).isNotBlank();
        assertThat(requests()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/photos/missing",
                "/photos/..%2F..%2Fsecret",
                "/static/missing",
                "/static/x/",
                "/further/missing"
            })
    void missing(String path) throws Exception {
        assertThat(get(path).statusCode()).as(path).isIn(400, 404);
    }

    @Test
    void aStoredTypeThatIsNoneIsOctets() throws Exception {
        for (String name : List.of("strange", "wild", "half")) {
            HttpResponse<String> response = get("/photos/" + name);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(header(response, "Content-Type")).isEqualTo("application/octet-stream");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "text/*", "application/*+xml", "text/html;charset=none", "a, b", "/"})
    @DisplayName("a blob is served whatever its stored type is")
    void storedTypes(String type) throws Exception {
        accounts.photos()
                .upload("type".getBytes(UTF_8), "typed", o -> o.overwrite().contentType(type));

        HttpResponse<String> response = get("/photos/typed");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("type");
        assertThat(header(response, "Content-Type")).isEqualTo("application/octet-stream");
        assertThat(get("/photos/typed", "Range", "bytes=1-2").body()).isEqualTo("yp");
        assertThat(get("/photos/typed", "Range", "bytes=1-1,3-3").statusCode()).isEqualTo(206);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.txt", "large.txt"})
    @DisplayName("a range that cannot be sent is a 416 without content, and only the facts are read")
    void unsatisfiableRanges(String name) throws Exception {
        long size = accounts.photos().info(name).size();
        for (String range : List.of(
                "bytes=" + size + "-",
                "bytes=",
                "bytes=5-3",
                "bytes=nonsense",
                "items=0-1",
                "bytes=0-,0-,0-",
                "bytes=" + "0-0,".repeat(100) + "0-0")) {
            int before = requests();
            HttpResponse<String> response = get("/photos/" + name, "Range", range, "If-None-Match", "\"other\"");

            assertThat(response.statusCode()).as(range).isEqualTo(416);
            assertThat(response.body()).as(range).isEmpty();
            assertThat(header(response, "Content-Range")).isEqualTo("bytes */" + size);
            assertThat(requests()).as(range).isEqualTo(before + 1);
        }
        String etag = header(get("/photos/" + name), "ETag");
        assertThat(get("/photos/" + name, "Range", "bytes=nonsense", "If-None-Match", etag)
                        .statusCode())
                .isEqualTo(304);
    }

    @Test
    @DisplayName(
            "TRANSFER-2: a blob that changes faster than it is read is a 503, never the 412 of a condition that the"
                    + " client has not sent")
    void changesFasterThanItIsRead() throws Exception {
        BlobContainer busy = mock(BlobContainer.class);
        when(busy.openDownload(eq("busy"), any())).thenAnswer(call -> {
            BlobDownload present = accounts.photos().openDownload("busy", call.getArgument(1));
            accounts.put("busy", LARGE);
            return present;
        });
        Stowline client = mock(Stowline.class);
        when(client.container("photos")).thenReturn(busy);
        accounts.put("busy", LARGE);
        int before = requests();

        assertThatThrownBy(() -> BlobResponse.of(
                        new BlobResource(ResourceLocation.parse("azure-blob://photos/busy"), () -> client, null),
                        RequestEntity.get(instance.at("/photos/busy")).build()))
                .isInstanceOfSatisfying(ProblemException.class, failure -> {
                    assertThat(failure.getStatusCode().value()).isEqualTo(503);
                    assertThat(ProblemType.of(failure)).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
                    assertThat(failure.getBody().getDetail()).doesNotContain("busy");
                })
                .cause()
                .isInstanceOf(BlobChangedException.class)
                .hasNoCause();
        assertThat(requests() - before)
                .as("three times the facts, a replacement and a refused read")
                .isEqualTo(9);
    }

    @Test
    void theFurtherAccountHasItsOwnBlobs() throws Exception {
        assertThat(get("/further/a.txt").body()).isEqualTo("further");
        assertThat(get("/static/a.txt").body()).isEqualTo("hello");
    }

    @Test
    void etagsOfOtherResources() {
        assertThat(BlobResponse.etagOf(new ByteArrayResource(new byte[1]))).isNull();
        // The context closes its accounts, which must not be those of the other tests.
        new TwoAccounts().runner().run(context -> assertThatThrownBy(
                        () -> BlobResponse.etagOf(context.getResource("azure-blob://photos/missing")))
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(IOException.class));
    }
}
