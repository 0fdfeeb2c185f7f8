package io.stowline.transport.internal.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.ProxyOptions;
import com.github.tomakehurst.wiremock.WireMockServer;
import io.stowline.RefusingPort;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.ConnectProxy;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.netty.HttpSettings;
import io.stowline.transport.internal.netty.NettyTransport;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Proxies that want a password, refuse or go away: an attempt that was not sent through them is certain. */
@Timeout(60)
class ProxyRefusalTest {

    private static final String CLOSING_CASE = "407 and close";
    private static final String KEEPING_CASE = "407 and keep-alive";
    private static final String WORD = "open-sesame";
    private static final String ROOT = "http://acct.table.invalid";
    private static final String CLOSING = String.join(
            "\r\n",
            "HTTP/1.1 407 Proxy Authentication Required",
            "Proxy-Authenticate: Basic realm=\"corp\"",
            "Content-Length: 0",
            "Connection: close",
            "",
            "");
    private static final String KEEPING = CLOSING.replace("Connection: close\r\n", "");

    private final WireMockServer server =
            new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
    private @Nullable ConnectProxy proxy;

    @BeforeEach
    void start() {
        server.start();
        server.stubFor(any(anyUrl())
                .willReturn(aResponse().withHeader("x-ms-request-id", "r-1").withBody("hello")));
    }

    @AfterEach
    void stop() throws IOException {
        if (proxy != null) {
            proxy.close();
        }
        server.stop();
    }

    private ConnectProxy given(Function<List<String>, @Nullable String> refusal) throws IOException {
        ConnectProxy given = new ConnectProxy(server.port(), refusal);
        proxy = given;
        return given;
    }

    private static Function<List<String>, @Nullable String> demanding(String refusal) {
        String wanted = "proxy-authorization: Basic "
                + Base64.getEncoder().encodeToString(("me:" + WORD).getBytes(StandardCharsets.US_ASCII));
        return head -> head.stream().anyMatch(wanted::equalsIgnoreCase) ? null : refusal;
    }

    private static ProxyOptions at(int port) {
        return new ProxyOptions(ProxyOptions.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static String send(ProxyOptions given, int retries) {
        return send(given, retries, ROOT);
    }

    private static String send(ProxyOptions given, int retries, String root) {
        RetrySettings settings = RetrySettings.builder()
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .retries(retries)
                .build();
        Request request = Request.of("insert", "x", OperationType.WRITE, HttpMethod.POST, root + "/x")
                .body("application/json", new byte[] {'{', '}'});
        ClientRuntime runtime = ClientRuntime.open(
                Bench.account(), Bench.settings(2, RetrySettings.defaults()).with(HttpSettings.DEFAULT.proxy(given)));
        try {
            return runtime.to(Service.TABLE)
                    .send(Exchange.of(request, settings, response -> new ParseResult.Value<>(response.text())))
                    .block();
        } finally {
            runtime.close(Duration.ofSeconds(5)).block();
        }
    }

    private static StorageException refused(ProxyOptions given, int retries) {
        return refused(given, retries, ROOT);
    }

    private static StorageException refused(ProxyOptions given, int retries, String root) {
        StorageException refused = catchThrowableOfType(StorageException.class, () -> send(given, retries, root));
        assertThat(refused)
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining(
                        "the proxy localhost:" + given.getAddress().getPort());
        assertThat(refused.failure().unansweredAttempts()).isZero();
        return refused;
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: the proxy's password is sent with the first CONNECT, whatever a 407 does to the connection")
    @ValueSource(strings = {CLOSING_CASE, KEEPING_CASE})
    void givesThePasswordAtOnce(String response) throws IOException {
        ConnectProxy demanding = given(demanding(response.equals(CLOSING_CASE) ? CLOSING : KEEPING));

        assertThat(send(at(demanding.port()).setCredentials("me", WORD), 0)).isEqualTo("hello");

        assertThat(demanding.requested()).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: a wrong password at the proxy is tried once more, is not ambiguous, and is not shown")
    @ValueSource(strings = {CLOSING_CASE, KEEPING_CASE})
    void wrongPassword(String response) throws IOException {
        ConnectProxy demanding = given(demanding(response.equals(CLOSING_CASE) ? CLOSING : KEEPING));

        StorageException refused = refused(at(demanding.port()).setCredentials("me", "wrong-word"), 5);

        assertThat(refused)
                .hasMessageContaining("407 Proxy Authentication Required")
                .hasMessageContaining("it refused the credentials");
        assertThat(refused).hasStackTraceContaining("ProxyConnectionException");
        for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain("wrong-word");
        }
        assertThat(demanding.requested()).hasSize(2);
        assertThat(server.getAllServeEvents()).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: a request that the proxy did not let through never left, whatever the proxy answered")
    @ValueSource(
            strings = {
                "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                ConnectProxy.HANG_UP
            })
    void refusesTheTunnel(String response) throws IOException {
        ConnectProxy refusing = given(head -> response);

        StorageException refused = refused(at(refusing.port()), 1);

        if (!response.isEmpty()) {
            assertThat(refused).hasMessageContaining("status: " + response.substring(9, response.indexOf("\r\n")));
        }
        assertThat(refusing.requested()).hasSize(2).allMatch("CONNECT acct.table.invalid:80 HTTP/1.1"::equals);
        assertThat(server.getAllServeEvents()).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: the message of a request under TLS begins with the proxy's refusal, too")
    @ValueSource(
            strings = {
                "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 407 Proxy Authentication Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            })
    void refusesTheTunnelOfTls(String response) throws IOException {
        ConnectProxy refusing = given(head -> response);

        StorageException refused = refused(at(refusing.port()), 0, "https://acct.table.invalid");

        assertThat(refused.failure().message())
                .startsWith("io.stowline.transport.internal.http.ProxyConnectionException: the proxy localhost:"
                        + refusing.port() + " opened no connection: ")
                .contains("status: " + response.substring(9, response.indexOf("\r\n")));
        assertThat(refusing.requested()).allMatch("CONNECT acct.table.invalid:443 HTTP/1.1"::equals);
    }

    @Test
    @DisplayName("RETRY-2: a proxy that refuses once is asked again")
    void recovers() throws IOException {
        boolean[] refused = new boolean[1];
        ConnectProxy refusing = given(head -> {
            boolean first = !refused[0];
            refused[0] = true;
            return first ? "HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" : null;
        });

        assertThat(send(at(refusing.port()), 1)).isEqualTo("hello");

        assertThat(refusing.requested()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-2: a proxy that is down is named")
    void down() {
        try (RefusingPort free = new RefusingPort()) {
            refused(at(free.number()), 1);
        }
    }

    @Test
    @DisplayName("RETRY-2: a proxy whose host is unknown is named")
    void unknown() {
        ProxyOptions given =
                new ProxyOptions(ProxyOptions.Type.HTTP, InetSocketAddress.createUnresolved("proxy.invalid", 3128));

        StorageException refused = catchThrowableOfType(StorageException.class, () -> send(given, 0));

        assertThat(refused).isInstanceOf(UnreachableException.class).hasMessageContaining("proxy.invalid");
        assertThat(refused.failure().unansweredAttempts()).isZero();
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: requests of the Azure SDK's clients take the same way")
    @ValueSource(strings = {"me", "other"})
    void theirRequests(String user) throws IOException {
        ConnectProxy demanding = given(demanding(CLOSING));
        ProxyOptions given = at(demanding.port()).setCredentials(user, WORD);
        NettyTransport transport = NettyTransport.of("acct", 2, given);
        HttpRequest request = new HttpRequest(HttpMethod.POST, ROOT + "/x").setBody("{}");
        WriteTracker tracker = WriteTracker.reporting();
        try {
            HttpResponse response = transport
                    .client()
                    .send(request)
                    .contextWrite(context -> context.put(WriteTracker.class, tracker))
                    .onErrorResume(ProxyConnectionException.class, e -> {
                        assertThat(tracker.endedBy(e)).isFalse();
                        return Mono.empty();
                    })
                    .block();

            assertThat(response != null).isEqualTo(user.equals("me"));
            // azure-core itself asks a proxy that has refused once more.
            assertThat(demanding.requested()).hasSize(response == null ? 2 : 1);
        } finally {
            transport.close(Duration.ofSeconds(5)).block();
        }
    }

    @Test
    @DisplayName("RETRY-2: a request given up while the proxy has not answered never left")
    void silent() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        ConnectProxy silent = given(head -> {
            requested.countDown();
            await(over);
            return ConnectProxy.HANG_UP;
        });
        NettyTransport transport = NettyTransport.of("acct", 2, at(silent.port()));
        WriteTracker tracker = WriteTracker.reporting();
        try {
            Disposable attempt = transport
                    .client()
                    .send(new HttpRequest(HttpMethod.POST, ROOT + "/x").setBody("{}"))
                    .contextWrite(context -> context.put(WriteTracker.class, tracker))
                    .subscribe();
            await(requested);
            attempt.dispose();

            assertThat(tracker.endedBy(new IOException("given up"))).isFalse();
        } finally {
            over.countDown();
            transport.close(Duration.ofSeconds(5)).block();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
