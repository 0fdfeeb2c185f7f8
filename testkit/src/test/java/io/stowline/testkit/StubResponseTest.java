package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class StubResponseTest {

    @Test
    void scriptsAnErrorOfTheQueueAndTheBlobService() {
        StubResponse busy = StubResponse.error(503, "ServerBusy", "a <b> & \"c\"");

        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.header("X-Ms-Error-Code")).isEqualTo("ServerBusy");
        assertThat(busy.header("content-type")).isEqualTo("application/xml");
        assertThat(busy.text())
                .isEqualTo("<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>ServerBusy</Code>"
                        + "<Message>a &lt;b&gt; &amp; \"c\"</Message></Error>");
        assertThat(busy).hasToString("503 ServerBusy (" + busy.bodyLength() + " bytes)");
    }

    @Test
    void scriptsAnErrorOfTheTableService() {
        StubResponse conflict = StubResponse.tableError(409, "EntityAlreadyExists", "1:\"a\"\\\nTime");

        assertThat(conflict.header("x-ms-error-code")).isEqualTo("EntityAlreadyExists");
        assertThat(conflict.header("Content-Type")).startsWith("application/json;");
        assertThat(conflict.text())
                .isEqualTo("{\"odata.error\":{\"code\":\"EntityAlreadyExists\",\"message\":{\"lang\":\"en-US\","
                        + "\"value\":\"1:\\\"a\\\"\\\\\\nTime\"}}}");
    }

    @Test
    void saysWhenToComeAgainInWholeSeconds() {
        assertThat(StubResponse.of(503).retryAfter(Duration.ofMillis(2_900)).header("Retry-After"))
                .isEqualTo("2");
        assertThatThrownBy(() -> StubResponse.of(503).retryAfter(Duration.ofSeconds(-1)))
                .hasMessage("retryAfter must not be negative: PT-1S");
    }

    @Test
    void changesNothingInPlace() {
        StubResponse plain = StubResponse.of(200);
        StubResponse full = plain.header("ETag", "1").body("text/plain", "ä");

        assertThat(plain.headerLines()).isEmpty();
        assertThat(plain.body()).isEmpty();
        assertThat(full.headerLines()).containsExactly(entry("ETag", "1"), entry("Content-Type", "text/plain"));
        assertThat(full.headers()).containsKey("etag");
        assertThat(full.bodyLength()).isEqualTo(2);
        full.body()[0] = 0;
        assertThat(full.text()).isEqualTo("ä");
        assertThat(full.withoutHeader("ETAG").headerLines()).hasSize(1);
        assertThat(full.body(new byte[] {1}).body()).containsExactly(1);
    }

    @Test
    void rejectsAStatusThatIsNoFinalOne() {
        assertThatThrownBy(() -> StubResponse.of(100)).hasMessage("status must be 200 to 599: 100");
        assertThatThrownBy(() -> StubResponse.of(600)).hasMessage("status must be 200 to 599: 600");
    }
}
