package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.RecordedExchange.Ending;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy without rules leaves exchanges unchanged. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyForwardingTest {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    TinyServer server;
    FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new TinyServer();
        proxy = FaultProxy.builder().inFrontOf(server.endpoint()).start();
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "MERGE", "PATCH", "OPTIONS"})
    void forwardsAnyMethodWithItsBody(String method) throws Exception {
        HttpResponse<String> response = Http.send(proxy.endpoint(), method, "/Tables?a=1", "körper");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(method + " applied");
        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo(method);
            assertThat(request.target()).isEqualTo("/account/Tables?a=1");
            assertThat(request.text()).isEqualTo("körper");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/account/$batch",
                "//double//slash",
                "/a%2Fb%20c?x=%2f&y=+",
                "/Tables(PartitionKey='o''neil',RowKey='')",
                "/queue/messages?",
                "/a[b]|c^d`{e}\"<f>\\g",
                "/raw-\u00c3\u00a9-\u0080",
                "http://elsewhere/absolute?x=1",
                "*"
            })
    void forwardsTargetsByteForByte(String target) throws Exception {
        List<String> heads = new CopyOnWriteArrayList<>();
        try (RawServer raw = new RawServer((number, socket) -> {
                    heads.add(RawServer.head(socket));
                    RawServer.write(socket, OK);
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            client.get(target);

            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(heads).containsExactly("GET " + target + " HTTP/1.1\r\nHost: here\r\n\r\n");
            assertThat(through.recorded().get(0).request().target()).isEqualTo(target);
        }
    }

    @Test
    void forwardsHeaderLinesInOrderAndSpelling() throws Exception {
        String head = String.join(
                "\r\n",
                "PUT /x HTTP/1.1",
                "hOsT: account.example",
                "x-ms-meta-B: 2",
                "x-ms-meta-a: 1",
                "X-Ms-Meta-a: 3",
                "Authorization: SharedKey account:c2ln",
                "x-ms-empty: ",
                "x-ms-meta-latin: \u00e9\u0081",
                "Content-Length: 0",
                "\r\n");
        List<String> heads = new CopyOnWriteArrayList<>();
        try (RawServer raw = new RawServer((number, socket) -> {
                    heads.add(RawServer.head(socket));
                    RawServer.write(socket, "HTTP/1.1 202 Accepted\r\nETag: W/\"1\"\r\nx-a: 1\r\nX-A: 2\r\n\r\n");
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            client.send(head);

            assertThat(client.head())
                    .isEqualTo(
                            "HTTP/1.1 202 Accepted\r\nETag: W/\"1\"\r\nx-a: 1\r\nX-A: 2\r\nContent-Length: 0\r\n\r\n");
            assertThat(heads).containsExactly(head);
        }
    }

    @Test
    void respondsHeadWithTheLengthThatAGetWouldHave() throws Exception {
        try (RawServer raw = new RawServer((number, socket) -> {
                    while (!RawServer.head(socket).isEmpty()) {
                        RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");
                    }
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            for (int i = 0; i < 2; i++) {
                client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(client.head()).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void respondsWithoutABodyWhereThereIsNone(int status) throws Exception {
        server.answering = exchange -> TinyServer.response(exchange, status, "");

        for (int i = 0; i < 2; i++) {
            HttpResponse<String> response = Http.get(proxy.endpoint(), "/none");
            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(response.body()).isEmpty();
            assertThat(response.headers().firstValue("Content-Length")).isEmpty();
        }
    }

    @Test
    void forwardsChunksBothWays() throws Exception {
        server.answering = exchange -> TinyServer.answerInChunks(exchange, "one, ", "two, ", "three");

        byte[] body = "chunky".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
        HttpResponse<String> response = Http.CLIENT.send(
                Http.request(proxy.endpoint(), "/chunks")
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                        .build(),
                BodyHandlers.ofString());

        assertThat(response.body()).isEqualTo("one, two, three");
        assertThat(response.headers().firstValue("Transfer-Encoding")).contains("chunked");
        assertThat(server.requests().get(0).body()).isEqualTo(body);
        assertThat(server.requests().get(0).header("Transfer-Encoding")).isEqualTo("chunked");
    }

    @Test
    void grantsAnExpectedContinueAtOnce() throws Exception {
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.send("POST /c HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 100 ");

            client.send("body");

            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(server.requests().get(0).text()).isEqualTo("body");
        }
    }

    @Test
    void passesOverInterimResponsesOfTheService() throws Exception {
        try (RawServer raw = new RawServer((number, socket) -> {
                    RawServer.head(socket);
                    RawServer.write(socket, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + OK);
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start()) {
            assertThat(Http.get(through.endpoint(), "/").body()).isEqualTo("ok");
        }
    }

    @Test
    void givesALengthToAResponseThatEndsWithItsConnection() throws Exception {
        try (RawServer raw = new RawServer((number, socket) -> {
                    RawServer.head(socket);
                    RawServer.write(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nup to the end");
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            client.get("/");

            assertThat(client.rest())
                    .isEqualTo("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 13\r\n\r\nup to the end");
        }
    }

    @Test
    void keepsConnectionsOnBothSides() throws Exception {
        try (RawServer raw = new RawServer((number, socket) -> {
                    while (!RawServer.head(socket).isEmpty()) {
                        RawServer.write(socket, OK);
                    }
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            for (int i = 0; i < 5; i++) {
                client.get("/" + i);
                client.head();
                assertThat(client.body(2)).isEqualTo("ok");
            }

            assertThat(raw.connections()).isEqualTo(1);
            assertThat(through.recorded())
                    .extracting(RecordedExchange::connection)
                    .containsOnly(1);
            assertThat(through.traffic().connections()).isEqualTo(1);
        }
    }

    @Test
    void respondsPipelinedRequestsInOrder() throws Exception {
        server.answering = exchange ->
                TinyServer.response(exchange, 200, exchange.getRequestURI().getPath());
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.send("GET /one HTTP/1.1\r\nHost: x\r\n\r\nGET /two HTTP/1.1\r\nHost: x\r\n\r\n");

            client.head();
            assertThat(client.body(4)).isEqualTo("/one");
            client.head();
            assertThat(client.body(4)).isEqualTo("/two");
        }
    }

    @Test
    void closesWhenTheClientRequestedThat() throws Exception {
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            assertThat(client.rest()).endsWith("GET applied");
        }
    }

    @Test
    void sendsOnceMoreWhenAKeptConnectionTurnsOutClosed() throws Exception {
        try (RawServer raw = new RawServer((number, socket) -> {
                    RawServer.head(socket);
                    RawServer.write(socket, OK);
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            for (int i = 0; i < 3; i++) {
                client.get("/" + i);
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                client.body(2);
            }

            assertThat(raw.connections()).isEqualTo(3);
        }
    }

    @Test
    void sendsNothingTwiceOverAFreshConnection() throws Exception {
        try (RawServer raw = new RawServer((number, socket) -> RawServer.head(socket));
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            client.get("/");

            assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
            assertThat(raw.connections()).isEqualTo(1);
            assertThat(through.recorded().get(0).ending()).isEqualTo(Ending.UNREACHABLE);
        }
    }

    @Test
    void sendsNothingTwiceOnceAResponseHasBegun() throws Exception {
        try (RawServer raw = new RawServer((number, socket) -> {
                    RawServer.head(socket);
                    RawServer.write(socket, OK);
                    RawServer.head(socket);
                    RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                });
                FaultProxy through =
                        FaultProxy.builder().inFrontOf(raw.endpoint()).start();
                RawClient client = new RawClient(through.endpoint())) {
            client.get("/1").head();
            client.body(2);
            client.get("/2");

            assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
            assertThat(raw.connections()).isEqualTo(1);
            assertThat(through.recorded())
                    .extracting(RecordedExchange::ending)
                    .containsExactly(Ending.RESPONDED, Ending.UNREACHABLE);
        }
    }

    @Test
    void resetsTheClientWhenTheServiceCannotBeReached() throws Exception {
        // A socket that does not listen keeps the port from other processes.
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            URI nowhere = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            try (FaultProxy through = FaultProxy.builder().inFrontOf(nowhere).start();
                    RawClient client = new RawClient(through.endpoint())) {
                client.get("/");

                assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
                assertThat(through.recorded()).singleElement().satisfies(exchange -> {
                    assertThat(exchange.ending()).isEqualTo(Ending.UNREACHABLE);
                    assertThat(exchange.reason()).contains("cannot connect to", Integer.toString(nowhere.getPort()));
                    assertThat(exchange.served()).isEmpty();
                });
                assertThat(through.ended(Ending.UNREACHABLE)).isEqualTo(1);
            }
        }
    }

    @Test
    void refusesABodyAboveItsLimitByNamingIt() throws Exception {
        try (FaultProxy small = FaultProxy.builder()
                        .inFrontOf(server.endpoint())
                        .maxBody(10)
                        .start();
                RawClient client = new RawClient(small.endpoint())) {
            client.send("PUT /big HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n12345678901");

            assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
            assertThat(small.recorded()).singleElement().satisfies(exchange -> {
                assertThat(exchange.ending()).isEqualTo(Ending.FAILED);
                assertThat(exchange.reason())
                        .isEqualTo("the body of PUT /big is larger than the proxy's limit of 10 bytes");
            });
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void refusesAResponseAboveItsLimitByNamingIt() throws Exception {
        server.answering = exchange -> TinyServer.response(exchange, 200, "12345678901");
        try (FaultProxy small =
                FaultProxy.builder().inFrontOf(server.endpoint()).maxBody(10).start()) {
            assertThatThrownBy(() -> Http.get(small.endpoint(), "/")).isInstanceOf(IOException.class);

            assertThat(small.recorded(requests().method("GET")))
                    .last()
                    .extracting(RecordedExchange::ending, RecordedExchange::reason)
                    .containsExactly(
                            Ending.FAILED,
                            "the body of the response to GET is larger than the proxy's limit of 10 bytes");
        }
    }

    @Test
    void takesABodyOfExactlyItsLimit() throws Exception {
        try (FaultProxy small =
                FaultProxy.builder().inFrontOf(server.endpoint()).maxBody(12).start()) {
            assertThat(Http.send(small.endpoint(), "POST", "/", "x".repeat(12)).body())
                    .isEqualTo("POST applied");
        }
    }

    @Test
    void endsTheConnectionOfAClientThatDoesNotSpeakHttp() throws Exception {
        try (RawClient client = new RawClient(proxy.endpoint())) {
            client.send("nonsense\r\n\r\n");

            assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
            assertThat(proxy.recorded()).isEmpty();
        }
    }

    @Test
    void servesManyConnectionsAtOnce() {
        server.answering = exchange ->
                TinyServer.response(exchange, 200, exchange.getRequestURI().getPath());
        List<CompletableFuture<String>> responses = new ArrayList<>(IntStream.range(0, 300)
                .mapToObj(i -> Http.CLIENT
                        .sendAsync(Http.request(proxy.endpoint(), "/" + i).build(), BodyHandlers.ofString())
                        .thenApply(HttpResponse::body))
                .toList());

        for (int i = 0; i < responses.size(); i++) {
            assertThat(responses.get(i)).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("/account/" + i);
        }
        assertThat(proxy.traffic().requests()).isEqualTo(300);
        assertThat(proxy.traffic().responses()).isEqualTo(300);
    }

    @Test
    void passesLargeBodiesWhole() throws Exception {
        String body = "0123456789abcdef".repeat(1 << 18);
        server.answering = exchange -> TinyServer.response(exchange, 200, body);

        HttpResponse<String> response = Http.send(proxy.endpoint(), "PUT", "/blob", body);

        assertThat(response.body()).isEqualTo(body);
        assertThat(server.requests().get(0).text()).isEqualTo(body);
    }
}
