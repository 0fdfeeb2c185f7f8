package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.FaultProxy.TrafficStats;
import io.stowline.testkit.RecordedExchange.Ending;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of a proxy. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyRecordingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    TinyServer server;
    FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new TinyServer();
        proxy = FaultProxy.builder()
                .inFrontOf(server.endpoint())
                .recordedExchanges(3)
                .start();
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    @Test
    void recordsRequestAndResponseInOrderOfArrival() throws Exception {
        Http.send(proxy.endpoint(), "POST", "/a?x=1", "first");
        Http.get(proxy.endpoint(), "/b");

        assertThat(proxy.recorded())
                .extracting(exchange -> exchange.request().target())
                .containsExactly("/account/a?x=1", "/account/b");
        RecordedExchange first = proxy.recorded().get(0);
        assertThat(first.ending()).isEqualTo(Ending.RESPONDED);
        assertThat(first.request().text()).isEqualTo("first");
        assertThat(first.request().service()).isNull();
        assertThat(first.response())
                .hasValueSatisfying(response -> assertThat(response.text()).isEqualTo("POST applied"));
        assertThat(first.response()).isEqualTo(first.served());
        assertThat(first.reason()).isEmpty();
        assertThat(first.rule()).isEmpty();
        assertThat(first.isTruncated()).isFalse();
        assertThat(first.arrived())
                .isPositive()
                .isLessThan(proxy.recorded().get(1).arrived());
    }

    @Test
    void choosesAmongWhatItRecorded() throws Exception {
        Http.get(proxy.endpoint(), "/a");
        Http.send(proxy.endpoint(), "POST", "/$batch", "1");
        Http.send(proxy.endpoint(), "POST", "/$batch", "2");

        assertThat(proxy.recorded(requests().method("POST").path("**/$batch"))).hasSize(2);
        assertThat(proxy.recorded(requests().path("**/$batch").nth(2)))
                .singleElement()
                .extracting(exchange -> exchange.request().text())
                .isEqualTo("2");
    }

    @Test
    void keepsTheNewest() throws Exception {
        for (int i = 0; i < 5; i++) {
            Http.get(proxy.endpoint(), "/" + i);
        }

        assertThat(proxy.recorded())
                .extracting(exchange -> exchange.request().path())
                .containsExactly("/account/2", "/account/3", "/account/4");
        assertThat(proxy.traffic().requests()).isEqualTo(5);
    }

    @Test
    void countsEveryByteOfHeadsAndBodies() throws Exception {
        String request = "PUT /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody";
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
        try (RawServer raw = new RawServer((number, socket) -> {
                    while (!RawServer.head(socket).isEmpty()) {
                        socket.getInputStream().readNBytes(4);
                        RawServer.write(socket, response + "ok");
                    }
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            for (int i = 0; i < 2; i++) {
                client.send(request).head();
                client.body(2);
            }

            assertThat(through.traffic())
                    .isEqualTo(new TrafficStats(1, 2, 2, 2L * request.length(), 2L * (response.length() + 2)));
        }
    }

    @Test
    void forgetsWhenCleared() throws Exception {
        FaultRule rule = proxy.when(requests()).respond(StubResponse.of(503));
        Http.get(proxy.endpoint(), "/a");

        proxy.clear();

        assertThat(proxy.recorded()).isEmpty();
        assertThat(proxy.traffic()).isEqualTo(TrafficStats.NONE);
        assertThat(proxy.explain()).isEmpty();
        assertThat(Http.get(proxy.endpoint(), "/b").statusCode()).isEqualTo(200);
        assertThat(rule.hits()).isEqualTo(1);
        assertThat(proxy.when(requests())).asString().startsWith("rule 1 ");
    }

    @Test
    void forgetsWhatIsUnderWayWhenCleared() {
        RequestHold hold = new RequestHold();
        proxy.when(requests()).holdBefore(hold);
        CompletableFuture<?> held = held();
        hold.awaitArrived(PATIENCE);

        proxy.clear();
        proxy.awaitIdle(Duration.ZERO);
        hold.release();

        assertThat(held).succeedsWithin(PATIENCE);
        assertThat(proxy.recorded()).isEmpty();
        assertThat(proxy.traffic()).isEqualTo(TrafficStats.NONE);
    }

    @Test
    void namesWhatIsStillUnderWay() {
        RequestHold hold = new RequestHold();
        proxy.when(requests()).holdBefore(hold);
        CompletableFuture<?> held = held();
        hold.awaitArrived(PATIENCE);

        assertThatThrownBy(() -> proxy.awaitIdle(Duration.ofMillis(1)))
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("GET /account/held");

        hold.release();
        proxy.awaitIdle(PATIENCE);
        assertThat(held).succeedsWithin(PATIENCE);
    }

    @Test
    void passesRequestsThroughTheStagesOfTheService() throws Exception {
        FaultProxy.Builder builder = FaultProxy.builder()
                .inFrontOf(server.endpoint())
                .stage((request, next) -> request.path().endsWith("/short")
                        ? StubResponse.of(418)
                        : next.response(request.withHeader("x-stage", "outer")).header("x-outer", "1"))
                .stage((request, next) -> {
                    assertThat(request.header("x-stage")).isEqualTo("outer");
                    return next.response(request.withBody("changed".getBytes(StandardCharsets.UTF_8)));
                });
        try (FaultProxy staged = builder.start()) {
            assertThat(Http.get(staged.endpoint(), "/short").statusCode()).isEqualTo(418);
            assertThat(Http.send(staged.endpoint(), "PUT", "/long", "x")
                            .headers()
                            .firstValue("x-outer"))
                    .contains("1");

            assertThat(server.requests()).singleElement().satisfies(request -> {
                assertThat(request.text()).isEqualTo("changed");
                assertThat(request.header("Content-Length")).isEqualTo("7");
            });
            assertThat(staged.recorded().get(1).request().text()).isEqualTo("x");
        }
    }

    @Test
    void neverShowsSecretsWhenPrinted() throws Exception {
        Http.send(proxy.endpoint(), "POST", "/a?sv=1&sig=c2VjcmV0%3D&x=2", "secret body");

        assertThat(proxy.recorded().get(0))
                .asString()
                .contains("POST /account/a?sv=1&sig=...&x=2 (11 bytes) -> RESPONDED 200")
                .doesNotContain("secret")
                .doesNotContain("c2VjcmV0");
    }

    private CompletableFuture<?> held() {
        return Http.CLIENT.sendAsync(Http.request(proxy.endpoint(), "/held").build(), BodyHandlers.ofString());
    }
}
