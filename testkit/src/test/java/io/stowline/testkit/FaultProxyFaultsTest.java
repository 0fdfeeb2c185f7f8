package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.internal.proxy.SkippingWaiter;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of each action of a rule on the client and on the service. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final StubResponse BUSY =
            StubResponse.error(503, "ServerBusy", "The server is busy.").retryAfter(Duration.ofSeconds(1));

    final SkippingWaiter waiter = new SkippingWaiter();
    TinyServer server;
    FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new TinyServer();
        proxy = FaultProxy.builder()
                .inFrontOf(server.endpoint())
                .seed(42)
                .waiter(waiter)
                .start();
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    @Test
    void respondsInsteadOfTheService() throws Exception {
        FaultRule rule = proxy.when(requests()).respond(BUSY);

        HttpResponse<String> response = Http.get(proxy.endpoint(), "/queue");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("x-ms-error-code")).contains("ServerBusy");
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(response.body()).contains("<Code>ServerBusy</Code>");
        assertThat(server.requests()).isEmpty();
        assertThat(rule.hits()).isEqualTo(1);
        assertThat(only().ending()).isEqualTo(Ending.RESPONDED);
        assertThat(only().served()).isEmpty();
        assertThat(only().rule()).isEqualTo("rule 1 (any request -> answer 503 ServerBusy (114 bytes))");
    }

    @Test
    void keepsTheConnectionAfterAScriptedResponse() throws Exception {
        proxy.when(requests().nth(1)).respond(BUSY);
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 503 ");

            client.get("/");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void resetsWithoutForwarding() throws Exception {
        proxy.when(requests().nth(1)).reset();
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");

            assertReset(client::rest);
        }
        assertThat(server.requests()).isEmpty();
        assertThat(only().ending()).isEqualTo(Ending.RESET);
        assertThat(Http.get(proxy.endpoint(), "/after").body()).isEqualTo("GET applied");
    }

    @Test
    void losesTheResponseOfAnAppliedRequest() throws Exception {
        proxy.when(requests().method("POST")).loseResponse();
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.send("POST /apply HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");

            assertReset(client::rest);
        }
        assertThat(server.targets()).containsExactly("/apply");
        assertThat(only().ending()).isEqualTo(Ending.LOST);
        assertThat(only().response()).isEmpty();
        assertThat(only().served())
                .hasValueSatisfying(served -> assertThat(served.text()).isEqualTo("POST applied"));
    }

    @Test
    void tellsSomethingElseThanTheServiceDid() throws Exception {
        proxy.when(requests()).forwardThenRespond(StubResponse.error(500, "OperationTimedOut", "too slow"));

        assertThat(Http.send(proxy.endpoint(), "POST", "/x", "y").statusCode()).isEqualTo(500);

        assertThat(server.requests()).hasSize(1);
        assertThat(only().response())
                .hasValueSatisfying(response -> assertThat(response.status()).isEqualTo(500));
        assertThat(only().served())
                .hasValueSatisfying(served -> assertThat(served.status()).isEqualTo(200));
    }

    @Test
    void cutsAResponseOfKnownLength() throws Exception {
        proxy.when(requests()).cutResponse(3);
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");

            assertThat(client.head()).contains("Content-length: 11");
            assertThat(client.body(3)).isEqualTo("GET");
            assertReset(client::rest);
        }
        assertThat(only().ending()).isEqualTo(Ending.CUT);
    }

    @Test
    void cutsAChunkedResponseBeforeItsEnd() throws Exception {
        server.answering = exchange -> TinyServer.answerInChunks(exchange, "abc", "def");
        proxy.when(requests()).cutResponse(4);
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");

            assertThat(client.head()).contains("chunked");
            assertThat(client.body(9)).isEqualTo("4\r\nabcd\r\n");
            assertReset(client::rest);
        }
    }

    @Test
    void cutsAfterTheHead() throws Exception {
        proxy.when(requests()).cutResponse(0);
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");

            assertThat(client.head()).contains("Content-length: 11");
            assertReset(client::rest);
        }
    }

    @Test
    void garblesTheBodyButNotItsLength() throws Exception {
        String body = "a".repeat(1000);
        server.answering = exchange -> TinyServer.response(exchange, 200, body);
        proxy.when(requests()).garble();

        List<byte[]> first = List.of(bytes("/1"), bytes("/2"));

        assertThat(first).allSatisfy(bytes -> assertThat(bytes).hasSize(1000));
        assertThat(first.get(0)).isNotEqualTo(body.getBytes(StandardCharsets.US_ASCII));
        assertThat(first.get(0)).isNotEqualTo(first.get(1));
        assertThat(proxy.recorded()).extracting(RecordedExchange::ending).containsOnly(Ending.GARBLED);
        assertThat(proxy.recorded().get(0).served())
                .hasValueSatisfying(served -> assertThat(served.text()).isEqualTo(body));

        proxy.clear();
        proxy.when(requests()).garble();
        assertThat(bytes("/3")).as("the same again").isEqualTo(first.get(0));
    }

    @Test
    void respondsWhatIsNotHttp() throws Exception {
        proxy.when(requests()).malformed();
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");

            assertThat(client.rest()).isEqualTo("this is not HTTP\r\n\r\n");
        }
        assertThat(server.requests()).hasSize(1);
        assertThat(only().ending()).isEqualTo(Ending.MALFORMED);
        assertThatThrownBy(() -> Http.get(proxy.endpoint(), "/")).isInstanceOf(IOException.class);
    }

    @Test
    void delaysBeforeForwarding() throws Exception {
        proxy.when(requests()).delayBefore(Duration.ofSeconds(1));
        server.answering =
                exchange -> TinyServer.response(exchange, 200, waiter.waitedMillis() >= 1_000 ? "late" : "early");

        assertThat(Http.get(proxy.endpoint(), "/").body()).isEqualTo("late");
    }

    @Test
    void delaysAfterForwarding() throws Exception {
        proxy.when(requests()).delayAfter(Duration.ofSeconds(1));
        server.answering =
                exchange -> TinyServer.response(exchange, 200, waiter.waitedMillis() == 0 ? "early" : "late");

        assertThat(Http.get(proxy.endpoint(), "/").body()).isEqualTo("early");
        assertThat(waiter.waitedMillis()).isEqualTo(1_000);
    }

    @Test
    void doesOneActionAroundTheOther() throws Exception {
        proxy.when(requests())
                .delayBefore(Duration.ofSeconds(1))
                .delayAfter(Duration.ofSeconds(2))
                .cutResponse(11)
                .garble();
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");

            client.head();
            assertThat(client.body(11)).hasSize(11).isNotEqualTo("GET applied");
            assertReset(client::rest);
        }
        assertThat(waiter.waitedMillis()).isEqualTo(3_000);
        assertThat(only().ending()).isEqualTo(Ending.CUT);
    }

    @Test
    void doesNotDoWhatFollowsAnActionThatDoesNotForward() throws Exception {
        proxy.when(requests()).respond(BUSY).loseResponse();

        assertThat(Http.get(proxy.endpoint(), "/").statusCode()).isEqualTo(503);
    }

    @Test
    void losesAScriptedResponseToo() throws Exception {
        proxy.when(requests()).loseResponse().respond(BUSY);
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/");

            assertReset(client::rest);
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void pacesBothDirections() throws Exception {
        server.answering = exchange -> TinyServer.response(
                exchange, 200, "b".repeat(1000) + (waiter.waitedMillis() == 2000 ? "" : "request not paced"));
        proxy.when(requests()).bandwidth(100);

        HttpResponse<String> response = Http.send(proxy.endpoint(), "PUT", "/", "a".repeat(200));

        assertThat(response.body()).isEqualTo("b".repeat(1000));
        // the request of 200 bytes takes 2 s, the response of 1,000 and its head 10 s and more
        assertThat(waiter.waitedMillis()).isBetween(12_000L, 16_000L);
    }

    @Test
    void holdsARequestUntilItIsReleased() {
        RequestHold hold = new RequestHold();
        proxy.when(requests().path("**/held")).holdBefore(hold);

        CompletableFuture<HttpResponse<String>> held = async("/held");

        assertThat(hold.awaitArrived(PATIENCE).path()).isEqualTo("/account/held");
        assertThat(server.requests()).isEmpty();
        assertThat(held).isNotDone();
        assertThat(only().ending()).isEqualTo(Ending.IN_FLIGHT);

        hold.release();

        assertThat(held).succeedsWithin(PATIENCE).extracting(HttpResponse::body).isEqualTo("GET applied");
        assertThat(async("/held")).as("released for good").succeedsWithin(PATIENCE);
    }

    @Test
    void holdsAResponseUntilItIsReleased() {
        RequestHold hold = new RequestHold();
        proxy.when(requests()).holdAfter(hold);

        List<CompletableFuture<HttpResponse<String>>> held = List.of(async("/1"), async("/2"));

        assertThat(hold.awaitArrived(2, PATIENCE)).hasSize(2);
        assertThat(server.requests()).hasSize(2);
        assertThat(held).allSatisfy(response -> assertThat(response).isNotDone());

        hold.release();

        assertThat(held).allSatisfy(response -> assertThat(response).succeedsWithin(PATIENCE));
    }

    @Test
    void refusesConnectionsFromARequestOn() throws Exception {
        proxy.when(requests().path("**/last")).refuseConnections();
        try (RawClient idle = new RawClient(proxy.endpoint());
                RawClient client = new RawClient(proxy.endpoint())) {
            idle.get("/first").head();
            idle.body(11);
            client.get("/last");

            assertReset(client::rest);
            assertReset(idle::rest);
        }
        assertThatThrownBy(() -> new RawClient(proxy.endpoint())).isInstanceOf(ConnectException.class);
        assertThat(server.targets()).containsExactly("/first");
        assertThat(proxy.recorded().get(1).ending()).isEqualTo(Ending.REFUSED);

        proxy.accept();

        assertThat(Http.get(proxy.endpoint(), "/again").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void refusesAndAcceptsAtTheSamePort(int times) throws Exception {
        int port = proxy.endpoint().getPort();
        for (int i = 0; i < times; i++) {
            proxy.refuse();
            proxy.refuse();
            assertThatThrownBy(() -> new RawClient(proxy.endpoint())).isInstanceOf(ConnectException.class);

            proxy.accept();
            proxy.accept();
            assertThat(Http.client()
                            .send(Http.request(proxy.endpoint(), "/").build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(proxy.endpoint().getPort()).isEqualTo(port);
    }

    @Test
    void resetsOpenConnectionsWhenItRefuses() throws Exception {
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.get("/").head();
            client.body(11);

            proxy.refuse();

            assertReset(client::rest);
        }
    }

    @Test
    void resetsAConnectionWhoseRequestBreaksARule() throws Exception {
        proxy.when(requests()).respond(BUSY).remove();
        proxy.when(requests().header("x-ms-date", value -> Integer.parseInt(value) > 0))
                .respond(BUSY);
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nx-ms-date: today\r\n\r\n");

            assertReset(client::rest);
        }
        assertThat(only().ending()).isEqualTo(Ending.FAILED);
        assertThat(only().reason()).contains("today");
    }

    private RecordedExchange only() {
        assertThat(proxy.recorded()).hasSize(1);
        return proxy.recorded().get(0);
    }

    private CompletableFuture<HttpResponse<String>> async(String path) {
        return Http.CLIENT.sendAsync(Http.request(proxy.endpoint(), path).build(), BodyHandlers.ofString());
    }

    private byte[] bytes(String path) throws IOException, InterruptedException {
        return Http.CLIENT
                .send(Http.request(proxy.endpoint(), path).build(), BodyHandlers.ofByteArray())
                .body();
    }

    private static void assertReset(ThrowingCallable reading) {
        assertThatThrownBy(reading).isInstanceOf(IOException.class).hasMessageContaining("reset");
    }
}
