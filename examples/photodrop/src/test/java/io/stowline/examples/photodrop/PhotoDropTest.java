package io.stowline.examples.photodrop;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.service.Cors;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceType;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The service as the page uses it, without a browser: signatures, CORS, checks and thumbnails. */
class PhotoDropTest extends ServiceTest {

    private static final HttpClient STORAGE = HttpClient.newHttpClient();

    @Autowired
    Azurite azurite;

    @Test
    void aPhotoIsUploadedByItsSignatureAndGetsAThumbnail() throws Exception {
        byte[] photo = TestPhotos.jpeg(1200, 900, 6);
        Photos.Upload upload = begin("image/jpeg", photo.length);

        assertThat(put(upload.uri(), photo)).isEqualTo(201);
        client.put()
                .uri("/photos/{photo}", upload.photo())
                .exchange()
                .expectStatus()
                .isAccepted();
        Photos.View view = awaitThumbnail(upload.photo());

        assertThat(upload.photo()).matches("[0-9a-f-]{36}\\.jpg");
        assertThat(upload.expiresAt())
                .isBetween(
                        Instant.now().plus(Duration.ofMinutes(29)),
                        Instant.now().plus(Duration.ofMinutes(31)));
        HttpResponse<byte[]> picture = get(view.picture());
        assertThat(picture.body()).isEqualTo(photo);
        HttpResponse<byte[]> thumbnail = get(view.thumbnail());
        assertThat(ImageIO.read(new ByteArrayInputStream(thumbnail.body())).getHeight())
                .isEqualTo(Thumbnail.SIDE);
        assertThat(thumbnail.headers().firstValue("content-type")).contains("image/jpeg");
    }

    @Test
    void signaturesOpenOneBlobForOneUse() throws Exception {
        byte[] photo = TestPhotos.jpeg(50, 50);
        Photos.Upload upload = begin("image/jpeg", photo.length);
        assertThat(put(upload.uri(), photo)).isEqualTo(201);
        Photos.View view = find(upload.photo());

        assertThat(get(upload.uri()).statusCode()).as("read by the upload's").isEqualTo(403);
        assertThat(put(view.picture(), photo)).as("write by the reader's").isEqualTo(403);
        assertThat(put(URI.create(upload.uri().toString().replace(upload.photo(), "other.jpg")), photo))
                .as("another blob")
                .isEqualTo(403);
        assertThat(get(URI.create(view.picture().toString().replaceAll("\\?.*", "")))
                        .statusCode())
                .as("without a signature")
                .isIn(403, 404, 409);
    }

    /** An uploader writes HTML and says so: the signature of a reader makes a picture of it nevertheless. */
    @Test
    void readersGetTheHeadersOfTheirSignature() throws Exception {
        byte[] script = "<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8);
        Photos.Upload upload = begin("image/png", script.length);
        assertThat(put(upload.uri(), script, Map.of("x-ms-blob-content-type", "text/html")))
                .isEqualTo(201);
        Photos.View view = find(upload.photo());

        assertThat(get(view.picture()).headers().map())
                .containsEntry("content-type", List.of("image/png"))
                .containsEntry("content-disposition", List.of("inline"))
                .containsEntry("cache-control", List.of("private, max-age=3600"));
        assertThat(get(view.download()).headers().firstValue("content-disposition"))
                .contains("attachment; filename=\"" + upload.photo() + "\"");
    }

    @Test
    void typesAndSizesAreCheckedBeforeASignatureIsMade() {
        assertThat(problem(request("text/html", 10), 415)).contains("JPEG and PNG");
        assertThat(problem(request(null, 10), 415)).contains("JPEG and PNG");
        assertThat(problem(request("image/jpeg", 0), 400)).contains("empty");
        assertThat(problem(request("image/jpeg", MAX_SIZE + 1L), 413)).contains("8 MB", "8.1 MB");
        assertThat(begin("image/jpeg", MAX_SIZE).photo()).endsWith(".jpg");
    }

    @Test
    void largerContentThanAnnouncedIsRemoved() throws Exception {
        Photos.Upload upload = begin("image/jpeg", 1_000);
        assertThat(put(upload.uri(), new byte[MAX_SIZE + 1])).isEqualTo(201);

        assertThat(problem(client.put().uri("/photos/{photo}", upload.photo()).exchange(), 413))
                .contains("8 MB");

        assertThat(photos.exists(upload.photo())).isFalse();
        client.get()
                .uri("/photos/{photo}", upload.photo())
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    @Test
    void contentThatIsNoPhotoIsRemoved() throws Exception {
        byte[] text = "no photo".getBytes(StandardCharsets.UTF_8);
        Photos.Upload upload = begin("image/png", text.length);
        assertThat(put(upload.uri(), text)).isEqualTo(201);

        client.put()
                .uri("/photos/{photo}", upload.photo())
                .exchange()
                .expectStatus()
                .isAccepted();

        Awaitility.await().atMost(AT_MOST).until(() -> !photos.exists(upload.photo()));
        client.get()
                .uri("/photos/{photo}", upload.photo())
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    /** The size is checked again when the photo is read, since the signature lets its uploader write it again. */
    @Test
    void contentThatGrowsAfterItsCheckIsRemoved(@Autowired ThumbnailListener listener) throws Exception {
        Photos.Upload upload = begin("image/jpeg", 1_000);
        assertThat(put(upload.uri(), new byte[MAX_SIZE + 1])).isEqualTo(201);

        listener.make(new ThumbnailJob(upload.photo()));

        assertThat(photos.exists(upload.photo())).isFalse();
    }

    @Test
    void namesThatAreNotOfPhotosAreNotFound() {
        assertThat(problem(
                        client.put()
                                .uri("/photos/{photo}", "a".repeat(36) + ".jpg")
                                .exchange(),
                        404))
                .contains("no such photo");
        client.get().uri("/photos/..%2Fthumbnails").exchange().expectStatus().is4xxClientError();
        client.get().uri("/photos/secret.txt").exchange().expectStatus().isNotFound();
    }

    @Test
    void theStorageTakesUploadsFromThePageOnly() throws Exception {
        URI blob = begin("image/jpeg", 10).uri();

        HttpResponse<byte[]> allowed = preflight(blob, ORIGIN, "PUT", "x-ms-blob-content-type");

        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("access-control-allow-origin")).contains(ORIGIN);
        assertThat(preflight(blob, "https://other.example.com", "PUT", "x-ms-blob-content-type")
                        .statusCode())
                .isEqualTo(403);
        assertThat(preflight(blob, ORIGIN, "DELETE", "x-ms-blob-content-type").statusCode())
                .isEqualTo(403);
        assertThat(preflight(blob, ORIGIN, "PUT", "x-ms-meta-any").statusCode()).isEqualTo(403);
    }

    @Test
    void rulesOfOtherApplicationsStay(@Autowired Stowline storage, @Autowired BrowserAccess access) {
        Cors cors = storage.cors(ServiceType.BLOB);
        List<CorsRule> own = cors.rules();
        CorsRule other = CorsRule.builder()
                .allowedOrigins("https://other.example.com")
                .allowedMethods("GET")
                .build();
        cors.set(List.of(other));

        access.run(new DefaultApplicationArguments());
        access.run(new DefaultApplicationArguments());

        assertThat(cors.rules()).hasSize(2).contains(other).containsAll(own);
        cors.set(own);
    }

    @Test
    void noResponseHasTheAccountKey() {
        String key = azurite.accountKey();
        for (String path : new String[] {"/", "/photodrop.js", "/upload.js", "/photodrop.css"}) {
            client.get()
                    .uri(path)
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .expectHeader()
                    .value("Content-Security-Policy", policy -> assertThat(policy)
                            .contains("default-src 'none'")
                            .contains(proxy.endpoint(StorageService.BLOB).getAuthority()))
                    .expectBody(String.class)
                    .value(body -> assertThat(body).doesNotContain(key));
        }
        request("image/jpeg", 10)
                .expectStatus()
                .isCreated()
                .expectHeader()
                .valueEquals("Cache-Control", "no-store")
                .expectBody(String.class)
                .value(body -> assertThat(body).contains("sig=").doesNotContain(key));
    }

    @Test
    void aStorageThatDoesNotRespondIsAProblemToShow() {
        proxy.when(requests().service(StorageService.BLOB)).respond(StubResponse.of(503));

        assertThat(problem(
                        client.get()
                                .uri("/photos/{photo}", "a".repeat(36) + ".jpg")
                                .exchange(),
                        503))
                .contains("Try again");
    }

    private Photos.Upload begin(String contentType, long size) {
        return request(contentType, size)
                .expectStatus()
                .isCreated()
                .expectBody(Photos.Upload.class)
                .returnResult()
                .getResponseBody();
    }

    private RestTestClient.ResponseSpec request(String contentType, long size) {
        return client.post()
                .uri("/photos")
                .body(new PhotoController.PhotoRequest(contentType, size))
                .exchange();
    }

    private Photos.View find(String photo) {
        return client.get()
                .uri("/photos/{photo}", photo)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(Photos.View.class)
                .returnResult()
                .getResponseBody();
    }

    private Photos.View awaitThumbnail(String photo) {
        return Awaitility.await().atMost(AT_MOST).until(() -> find(photo), view -> view.thumbnail() != null);
    }

    private static String problem(RestTestClient.ResponseSpec response, int status) {
        return response.expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody(ProblemDetail.class)
                .returnResult()
                .getResponseBody()
                .getDetail();
    }

    private static int put(URI address, byte[] content) throws Exception {
        return put(address, content, Map.of());
    }

    private static int put(URI address, byte[] content, Map<String, String> headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .PUT(BodyPublishers.ofByteArray(content))
                .header("x-ms-blob-type", "BlockBlob");
        headers.forEach(request::header);
        return STORAGE.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private static HttpResponse<byte[]> get(URI address) throws Exception {
        return STORAGE.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray());
    }

    private static HttpResponse<byte[]> preflight(URI address, String origin, String method, String header)
            throws Exception {
        return STORAGE.send(
                HttpRequest.newBuilder(address)
                        .method("OPTIONS", BodyPublishers.noBody())
                        .header("Origin", origin)
                        .header("Access-Control-Request-Method", method)
                        .header("Access-Control-Request-Headers", header)
                        .build(),
                BodyHandlers.ofByteArray());
    }
}
