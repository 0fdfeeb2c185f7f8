package io.stowline.transport.internal.request;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import com.azure.core.util.ConfigurationBuilder;
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
import io.stowline.transport.internal.netty.HttpSettings;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** The way through an HTTP proxy, and past it. */
@Timeout(60)
class ProxyTransportTest {

    private final WireMockServer server =
            new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
    private ConnectProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server.start();
        server.stubFor(any(anyUrl())
                .willReturn(aResponse().withHeader("x-ms-request-id", "r-1").withBody("hello")));
        proxy = new ConnectProxy(server.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.stop();
    }

    private static Exchange<String> call(String root) {
        RetrySettings settings =
                RetrySettings.builder().backoff(Backoff.none()).retries(0).build();
        Request request = Request.of("insert", "x", OperationType.WRITE, HttpMethod.POST, root + "/x")
                .body("application/json", new byte[] {'{', '}'});
        return Exchange.of(request, settings, response -> new ParseResult.Value<>(response.text()));
    }

    private static String send(HttpSettings http, String root) {
        ClientRuntime runtime = ClientRuntime.open(
                Bench.account(), Bench.settings(2, RetrySettings.defaults()).with(http));
        try {
            return runtime.to(Service.TABLE)
                    .send(call(root))
                    .onErrorResume(
                            StorageException.class,
                            e -> Mono.just(e.getClass().getSimpleName() + " "
                                    + e.failure().unansweredAttempts()))
                    .block();
        } finally {
            runtime.close(Duration.ofSeconds(5)).block();
        }
    }

    private HttpSettings environment(String noProxy) {
        Map<String, String> variables = Map.of("HTTPS_PROXY", "http://127.0.0.1:" + proxy.port(), "NO_PROXY", noProxy);
        Configuration configuration =
                new ConfigurationBuilder(path -> Map.of(), path -> Map.of(), path -> variables).build();
        return HttpSettings.DEFAULT.configuration(configuration);
    }

    @Test
    void goesThroughTheGivenProxy() {
        ProxyOptions given = new ProxyOptions(
                ProxyOptions.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));

        assertThat(send(HttpSettings.DEFAULT.proxy(given), "http://acct.table.invalid"))
                .isEqualTo("hello");
        assertThat(proxy.requested()).singleElement().asString().startsWith("CONNECT acct.table.invalid:80 ");
    }

    @Test
    void goesThroughTheEnvironmentsProxy() {
        assertThat(send(environment("other.invalid"), "http://acct.table.invalid"))
                .isEqualTo("hello");
        assertThat(proxy.requested()).hasSize(1);
    }

    @Test
    void goesPastTheEnvironmentsProxyWhereItSaysSo() {
        assertThat(send(environment("localhost"), "http://localhost:" + server.port()))
                .isEqualTo("hello");
        assertThat(proxy.requested()).isEmpty();
    }

    @Test
    void thePermissionOfTheJvmChangesNothing() {
        Map<String, String> variables =
                Map.of("HTTPS_PROXY", "http://127.0.0.1:" + proxy.port(), "NO_PROXY", "localhost");
        Configuration permitted = new ConfigurationBuilder(
                        path -> Map.of(), path -> Map.of("java.net.useSystemProxies", "true"), path -> variables)
                .build();
        HttpSettings http = HttpSettings.DEFAULT.configuration(permitted);

        assertThat(send(http, "http://localhost:" + server.port())).isEqualTo("hello");
        assertThat(proxy.requested()).isEmpty();
        assertThat(send(http, "http://127.0.0.1:" + server.port())).isEqualTo("hello");
        assertThat(proxy.requested()).isEmpty();
        assertThat(send(http, "http://acct.table.invalid")).isEqualTo("hello");
        assertThat(proxy.requested()).hasSize(1);
    }

    @Test
    void neverUsesTheEnvironmentsProxyForThisMachine() {
        assertThat(send(environment("other.invalid"), "http://127.0.0.1:" + server.port()))
                .isEqualTo("hello");
        assertThat(proxy.requested()).isEmpty();
    }

    @Test
    @DisplayName("RETRY-2: a proxy that cannot be reached is not ambiguous")
    void proxyIsDown() {
        try (RefusingPort free = new RefusingPort()) {
            ProxyOptions given = new ProxyOptions(
                    ProxyOptions.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), free.number()));

            assertThat(send(HttpSettings.DEFAULT.proxy(given), "http://acct.table.invalid"))
                    .isEqualTo(UnreachableException.class.getSimpleName() + " 0");
        }
    }
}
