package io.stowline.transport.internal.netty;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.http.Fault;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.netty.direct.ConnectionOptions;
import io.stowline.transport.internal.netty.direct.DirectClient;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/** The HTTP client for requests of our own, against a real socket. */
@Timeout(60)
class DirectClientTest {

    private static final WireMockServer SERVER =
            new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));

    private final NettyTransport transport = NettyTransport.of("acct", 2, null);
    private final HttpClient client = transport.client();

    @BeforeAll
    static void startServer() {
        SERVER.start();
    }

    @AfterAll
    static void stopServer() {
        SERVER.stop();
    }

    @BeforeEach
    void forget() {
        SERVER.resetAll();
    }

    @AfterEach
    void close() {
        transport.close(Duration.ofSeconds(5)).block();
    }

    private static DirectRequest request(HttpMethod method, String path) {
        return request(method, path, null);
    }

    private static DirectRequest request(HttpMethod method, String path, @Nullable RequestBody body) {
        return new DirectRequest(method, "http://127.0.0.1:" + SERVER.port() + path, new RequestHeaders(), body);
    }

    private HttpResponse sent(HttpRequest request) {
        return Objects.requireNonNull(client.send(request).block(Duration.ofSeconds(30)));
    }

    @Test
    void sendsTheRequestAsItIs() {
        SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(204)));
        RequestBody body = RequestBody.of("body".getBytes(StandardCharsets.UTF_8));
        HttpRequest request = request(HttpMethod.PUT, "/a/t(PartitionKey='p%2Fq')?timeout=30", body)
                .setHeader(HttpHeaderName.IF_MATCH, "*")
                .setHeader(HttpHeaderName.CONTENT_LENGTH, "4");

        assertThat(sent(request).getStatusCode()).isEqualTo(204);
        SERVER.verify(putRequestedFor(urlEqualTo("/a/t(PartitionKey='p%2Fq')?timeout=30"))
                .withHeader("If-Match", equalTo("*"))
                .withHeader("Host", equalTo("127.0.0.1:" + SERVER.port()))
                .withRequestBody(equalTo("body")));
    }

    @Test
    void readsTheResponseWhole() {
        String text = "0123456789".repeat(20_000);
        SERVER.stubFor(any(anyUrl())
                .willReturn(
                        aResponse().withBody(text).withHeader("ETag", "\"1\"").withHeader("x-ms-version", "v")));
        HttpResponse response = sent(request(HttpMethod.GET, "/a"));

        assertThat(response.getBodyAsBinaryData()).hasToString(text);
        assertThat(response.getHeaderValue(HttpHeaderName.ETAG)).isEqualTo("\"1\"");
        assertThat(response.getHeaderValue(HttpHeaderName.fromString("X-MS-Version")))
                .isEqualTo("v");
        assertThat(response.getHeaders().getValue(HttpHeaderName.fromString("x-ms-version")))
                .isEqualTo("v");
        assertThat(response.getHeaderValue(HttpHeaderName.RETRY_AFTER)).isNull();
    }

    @Test
    void readsAResponseOfUnknownLength() {
        SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withBody("chunks").withChunkedDribbleDelay(3, 30)));
        assertThat(sent(request(HttpMethod.GET, "/a")).getBodyAsBinaryData()).hasToString("chunks");
    }

    @Test
    void aBrokenResponseIsAnError() {
        SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE)));
        assertThatThrownBy(() -> sent(request(HttpMethod.GET, "/a"))).isNotNull();
        SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withFault(Fault.MALFORMED_RESPONSE_CHUNK)));
        assertThatThrownBy(() -> sent(request(HttpMethod.GET, "/a"))).isNotNull();
    }

    @Test
    void takesTheRootWhereThereIsNoPath() {
        SERVER.stubFor(any(urlEqualTo("/?comp=list")).willReturn(aResponse().withBody("root")));
        assertThat(sent(request(HttpMethod.GET, "?comp=list")).getBodyAsBinaryData())
                .hasToString("root");
    }

    @Test
    void opensConnectionsAsTheReactorNettyClientWould() {
        NettyTransport hooked = NettyTransport.of("acct", 2, null, UnaryOperator.identity());
        try {
            assertThat(transport.connections()).isEqualTo(hooked.connections());
        } finally {
            hooked.close(Duration.ofSeconds(5)).block();
        }
    }

    @Test
    void leavesRequestsOfOthersToTheirClient() {
        HttpResponse theirs = new BufferedResponse(request(HttpMethod.GET, "/a"), 418, new HttpHeaders(), new byte[0]);
        Duration time = Duration.ofSeconds(1);
        LoopResources loops = LoopResources.create("others", 1, true);
        HttpClient both = new DirectClient(
                ConnectionOptions.of(
                        reactor.netty.http.client.HttpClient.create().resolver(DefaultAddressResolverGroup.INSTANCE)),
                loops,
                new ConnectionBounds(1, time, time, time, time),
                request -> Mono.just(theirs),
                address -> null);
        assertThat(both.send(new HttpRequest(HttpMethod.GET, "http://127.0.0.1:1/a"))
                        .block())
                .isSameAs(theirs);
        loops.dispose();
    }
}
