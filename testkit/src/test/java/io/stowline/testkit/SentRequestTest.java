package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SentRequestTest {

    final SentRequest request = SentRequest.received(
            "POST",
            "/account/$batch?timeout=30&x=%C3%A9&x=2&empty&bad=%zz",
            List.of(entry("x-ms-Meta", "1"), entry("Host", "here"), entry("X-MS-meta", "2")),
            "körper".getBytes(StandardCharsets.UTF_8));

    @Test
    void takesItsTargetApart() {
        assertThat(request.path()).isEqualTo("/account/$batch");
        assertThat(request.query())
                .containsExactly(entry("timeout", "30"), entry("x", "é"), entry("empty", ""), entry("bad", "%zz"));
        assertThat(request.withTarget("/only/path").path()).isEqualTo("/only/path");
        assertThat(request.withTarget("/only/path").query()).isEmpty();
    }

    @Test
    void findsHeadersWhateverTheirCase() {
        assertThat(request.header("X-ms-META")).isEqualTo("1, 2");
        assertThat(request.header("none")).isNull();
        assertThat(request.headers())
                .containsEntry("HOST", List.of("here"))
                .containsEntry("x-ms-meta", List.of("1", "2"));
        assertThat(request.headerLines())
                .containsExactly(entry("x-ms-Meta", "1"), entry("Host", "here"), entry("X-MS-meta", "2"));
    }

    @Test
    void replacesHeadersInTheirPlace() {
        assertThat(request.withHeader("x-ms-meta", "3").headerLines())
                .containsExactly(entry("x-ms-meta", "3"), entry("Host", "here"));
        assertThat(request.withHeader("new", "4").headerLines()).hasSize(4).endsWith(entry("new", "4"));
        assertThat(request.withoutHeader("X-MS-META").headerLines()).containsExactly(entry("Host", "here"));
        assertThat(request.headerLines()).as("the original").hasSize(3);
    }

    @Test
    void neverGivesItsBodyAway() {
        request.body()[0] = 0;
        byte[] given = {1};
        SentRequest changed = request.withBody(given);
        given[0] = 2;

        assertThat(request.text()).isEqualTo("körper");
        assertThat(request.bodyLength()).isEqualTo(7);
        assertThat(changed.body()).containsExactly(1);
    }

    @Test
    void knowsItsService() {
        assertThat(request.service()).isNull();
        assertThat(request.withService(StorageService.QUEUE)
                        .withHeader("a", "b")
                        .service())
                .isEqualTo(StorageService.QUEUE);
    }

    @Test
    void rejectsHeadersThatHttpDoesNotAllowAndShowsNoValue() {
        assertThatThrownBy(() -> SentRequest.of("GET", "/", Map.of("a b", "1"), new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a b'");
        assertThatThrownBy(() -> request.withHeader("Authorization", "secret\r\nx: y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Authorization")
                .hasMessageNotContaining("secret");
    }

    @Test
    void neverShowsSecretsWhenPrinted() {
        assertThat(request.withTarget("/a?SIG=c2VjcmV0&b=1").withHeader("Authorization", "SharedKey a:b"))
                .hasToString("POST /a?SIG=...&b=1 (7 bytes)");
    }
}
