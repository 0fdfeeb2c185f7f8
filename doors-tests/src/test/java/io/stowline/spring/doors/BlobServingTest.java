package io.stowline.spring.doors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The applications of {@code docs/serve-a-blob.md}: one of Spring MVC and one of WebFlux, which keep the same table of responses. */
@AzuriteTest
class BlobServingTest {

    private static final String NAME = "/files/hello.txt";

    private RunningApplication application;

    @Test
    @DisplayName("Spring MVC: versions, ranges, heads, and errors as statuses")
    void servesByMvc(Azurite azurite, @TempDir Path folder) throws Exception {
        DocumentedApplication.of("serve-a-blob.md", "files.FilesApplication")
                .web()
                .run(azurite, folder, context -> {
                    application = new RunningApplication(context);
                    serve(context.getBean(Stowline.class).container("files"));
                });
    }

    @Test
    @DisplayName("WebFlux: the same")
    void servesByWebFlux(Azurite azurite, @TempDir Path folder) throws Exception {
        DocumentedApplication.of("serve-a-blob.md", "flux.FluxApplication")
                .reactiveWeb()
                .run(azurite, folder, context -> {
                    application = new RunningApplication(context);
                    serve(context.getBean(Stowline.class).container("files"));
                });
    }

    private void serve(BlobContainer files) {
        String etag = files.upload("Hello world.".getBytes(UTF_8), "hello.txt").etag();
        files.upload(new byte[0], "empty.txt");

        HttpResponse<String> whole = application.send("GET", NAME, "");
        assertThat(whole.statusCode()).as(whole.body()).isEqualTo(200);
        assertThat(whole.body()).isEqualTo("Hello world.");
        assertThat(header(whole, "ETag")).isEqualTo(etag);
        assertThat(header(whole, "Last-Modified")).endsWith("GMT");
        assertThat(application.send("GET", NAME, "", "If-None-Match", etag).statusCode())
                .isEqualTo(304);

        HttpResponse<String> part = application.send("GET", NAME, "", "Range", "bytes=6-");
        assertThat(part.statusCode()).as(part.body()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("world.");
        assertThat(header(part, "Content-Range")).isEqualTo("bytes 6-11/12");
        HttpResponse<String> behind = application.send("GET", NAME, "", "Range", "bytes=12-");
        assertThat(behind.statusCode()).isEqualTo(416);
        assertThat(header(behind, "Content-Range")).isEqualTo("bytes */12");

        HttpResponse<String> head = application.send("HEAD", NAME, "");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(header(head, "Content-Length")).isEqualTo("12");
        assertThat(application.send("GET", "/files/empty.txt", "").body()).isEmpty();
        assertThat(application.send("GET", "/files/missing.txt", "").statusCode())
                .isEqualTo(404);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
