package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The application of {@code docs/spring-web.md} over HTTP, with Spring Boot's own problem details beside those of Stowline. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class WebDoorTest {

    private RunningApplication application;

    private HttpResponse<String> send(String method, String path, String body, String... headers) {
        return application.send(
                method,
                path,
                body,
                Stream.concat(Stream.of("Content-Type", "application/json"), Stream.of(headers))
                        .toArray(String[]::new));
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static void expect(HttpResponse<String> response, int status, String type) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.body()).contains("\"type\":\"" + type + "\"");
    }

    @Test
    void listsReadsAndRemovesRunnersInUnderThirtyLines(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-web.md", "runners.RunnersApplication")
                .web()
                .with("spring.mvc.problemdetails.enabled=true")
                .run(azurite, folder, context -> {
                    application = new RunningApplication(context);
                    versionsAndPages();
                    problems(context.getBean(Stowline.class), output);
                });
    }

    private void versionsAndPages() {
        for (int bib = 1; bib <= 3; bib++) {
            HttpResponse<String> added =
                    send("POST", "/", "{\"race\":\"2026\",\"bib\":\"" + bib + "\",\"name\":\"Ann\"}");
            assertThat(added.statusCode()).as(added.body()).isEqualTo(200);
            assertThat(header(added, "ETag")).startsWith("\"datetime'");
        }
        HttpResponse<String> found = send("GET", "/2026/1", "");
        assertThat(found.body()).isEqualTo("{\"race\":\"2026\",\"bib\":\"1\",\"name\":\"Ann\"}");
        String tag = header(found, "ETag");
        assertThat(send("GET", "/2026/1", "", "If-None-Match", tag).statusCode())
                .isEqualTo(304);

        HttpResponse<String> first = send("GET", "/2026?size=2", "");
        String next = header(first, "Link").replaceAll("<(.*)>; rel=\"next\"", "$1");
        assertThat(next).startsWith("/2026?size=2&page=");
        assertThat(first.body()).contains("\"next\":\"" + next + "\"");
        assertThat(send("GET", next, "").body())
                .isEqualTo("{\"values\":[{\"race\":\"2026\",\"bib\":\"3\",\"name\":\"Ann\"}],\"next\":null}");
        expect(send("GET", next.replace("/2026", "/2025"), ""), 400, "/problems/invalid-input");

        expect(send("DELETE", "/2026/1", ""), 428, "/problems/version-required");
        expect(send("DELETE", "/2026/1", "", "If-Match", "\"other\""), 412, "/problems/version-changed");
        assertThat(send("DELETE", "/2026/1", "", "If-Match", "\"other\"", "If-Match", tag)
                        .statusCode())
                .isEqualTo(200);
        expect(send("GET", "/2026/1", ""), 404, "/problems/not-found");
    }

    private void problems(Stowline storage, CapturedOutput output) {
        expect(send("POST", "/", "{\"race\":\"2026\",\"bib\":\"2\",\"name\":\"Bob\"}"), 409, "/problems/conflict");
        expect(send("GET", "/2026/a%23b", ""), 400, "/problems/invalid-input");
        HttpResponse<String> unreadable = send("POST", "/", "{");
        assertThat(unreadable.statusCode()).isEqualTo(400);
        assertThat(header(unreadable, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(unreadable.body()).doesNotContain("/problems/");

        storage.table("runners").drop();
        HttpResponse<String> missing = send("GET", "/2026/2", "");
        expect(missing, 500, "/problems/internal");
        assertThat(missing.body()).doesNotContain("TableNotFound", "devstoreaccount1");
        String id = missing.body().replaceAll(".*\"clientRequestId\":\"([^\"]+)\".*", "$1");
        assertThat(output.getAll().split("NotFoundException: [^\\n]*" + id, -1))
                .as("the exception is logged once")
                .hasSize(2);
    }
}
