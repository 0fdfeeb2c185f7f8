package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The choice of the rule that takes a request, and the explanations of rules. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultRuleTest {

    TinyServer server;
    FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new TinyServer();
        proxy = FaultProxy.builder().inFrontOf(server.endpoint()).seed(42).start();
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    @Test
    void theFirstThatFiresTakesTheRequest() throws Exception {
        FaultRule first = proxy.when(requests().nth(2)).respond(StubResponse.of(503));
        FaultRule second = proxy.when(requests()).respond(StubResponse.of(500));

        assertThat(status()).isEqualTo(500);
        assertThat(status()).isEqualTo(503);
        assertThat(status()).isEqualTo(500);

        assertThat(first.hits()).isEqualTo(1);
        assertThat(second.hits()).isEqualTo(2);
    }

    @Test
    void explainsWhatItSawAndRefused() throws Exception {
        proxy.when(requests().path("**/other")).respond(StubResponse.of(503));
        FaultRule rule = proxy.when(requests().method("POST").path("**/$batch").nth(2))
                .delayAfter(Duration.ofSeconds(1))
                .loseResponse();
        Http.get(proxy.endpoint(), "/other");
        Http.get(proxy.endpoint(), "/x");
        Http.get(proxy.endpoint(), "/y");
        Http.send(proxy.endpoint(), "POST", "/x", "");
        Http.send(proxy.endpoint(), "POST", "/$batch", "");

        assertThat(rule.hits()).isZero();
        assertThat(rule.explain()).isEqualTo("""
            rule 2 (method POST, path **/$batch, nth(2) -> delay the response by PT1S, lose the response): \
            fired 0 times; saw 4 requests
              2 refused by method POST
              1 refused by path **/$batch
              1 refused by nth(2)
              1 more were taken by rules before it
              seed 42\
            """);
        assertThat(proxy.explain()).contains("rule 1 (", "rule 2 (").contains("fired 1 times; saw 5 requests");
    }

    @Test
    void takesNothingWithoutAnAction() throws Exception {
        FaultRule rule = proxy.when(requests().nth(1));

        assertThat(status()).isEqualTo(200);
        assertThat(rule.explain()).contains("it has no action yet").contains("saw 0 requests");

        rule.respond(StubResponse.of(503));

        assertThat(status()).isEqualTo(503);
    }

    @Test
    void takesNothingWhileItIsDisabled() throws Exception {
        FaultRule rule = proxy.when(requests().nth(1))
                .disable()
                .delayBefore(Duration.ZERO)
                .respond(StubResponse.of(503));

        assertThat(status()).isEqualTo(200);
        assertThat(rule.explain()).contains("it is disabled");

        rule.enable();

        assertThat(status()).isEqualTo(503);
        assertThat(status()).isEqualTo(200);
    }

    @Test
    void takesNothingOnceItIsRemoved() throws Exception {
        FaultRule rule = proxy.when(requests()).respond(StubResponse.of(503));
        assertThat(status()).isEqualTo(503);

        rule.remove();

        assertThat(status()).isEqualTo(200);
        assertThat(rule.hits()).isEqualTo(1);
    }

    @Test
    void mayBeAddedWhileRequestsComeIn() throws Exception {
        for (int i = 1; i <= 20; i++) {
            int number = i;
            assertThat(status()).isEqualTo(200);
            FaultRule rule = proxy.when(requests()).respond(StubResponse.of(503).header("x-rule", "" + number));
            assertThat(status()).isEqualTo(503);
            rule.remove();
        }
    }

    @Test
    void rejectsNumbersByNamingThem() {
        FaultRule rule = proxy.when(requests());

        assertThatThrownBy(() -> rule.cutResponse(-1)).hasMessage("bytes must be at least 0: -1");
        assertThatThrownBy(() -> rule.bandwidth(0)).hasMessage("bytesPerSecond must be at least 1: 0");
        assertThatThrownBy(() -> rule.delayBefore(Duration.ofSeconds(-1)))
                .hasMessage("delay must not be negative: PT-1S");
        assertThatThrownBy(() -> rule.delayAfter(Duration.ofSeconds(-1)))
                .hasMessage("delay must not be negative: PT-1S");
    }

    private int status() throws IOException, InterruptedException {
        return Http.get(proxy.endpoint(), "/").statusCode();
    }
}
