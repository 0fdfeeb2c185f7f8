package io.stowline.transport.internal.account;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.github.tomakehurst.wiremock.WireMockServer;
import io.netty.handler.ssl.SslContextBuilder;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.netty.NettyTransport;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.SelfSignedCertificates;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

/** One exchange over TLS with the versions that are pinned. */
@Timeout(120)
class TlsTest {

    private static SelfSignedCertificates identity;
    private static WireMockServer server;

    private final Scheduler timer = Schedulers.newSingle("timer", true);
    private NettyTransport transport;

    @BeforeAll
    static void startServer() throws Exception {
        identity = SelfSignedCertificates.get();
        server = new WireMockServer(options()
                .bindAddress("127.0.0.1")
                .dynamicPort()
                .dynamicHttpsPort()
                .keystorePath(identity.file())
                .keystoreType("PKCS12")
                .keystorePassword(identity.password())
                .keyManagerPassword(identity.password()));
        server.start();
        server.stubFor(any(anyUrl())
                .willReturn(aResponse().withHeader("x-ms-request-id", "r-1").withBody("hello over TLS")));
    }

    @AfterAll
    static void stopServer() {
        server.stop();
    }

    @AfterEach
    void close() {
        transport.close(Duration.ofSeconds(5)).block();
        timer.dispose();
        server.resetRequests();
    }

    private static List<String> authorizations() {
        return server.findAll(anyRequestedFor(anyUrl())).stream()
                .map(request -> request.getHeader("Authorization"))
                .toList();
    }

    private Mono<String> insert(AccountCredential credential, UnaryOperator<HttpClient> trust) {
        return insert("localhost", credential, trust);
    }

    private Mono<String> insert(String host, AccountCredential credential, UnaryOperator<HttpClient> trust) {
        transport = NettyTransport.of("acct", 2, null, trust);
        StoragePipeline pipeline = new StoragePipeline(
                credential.authorizer(Service.TABLE),
                HttpWire.telling(transport.client()),
                Bench.limits(1, timer),
                new TimeSources(timer, () -> Long.MIN_VALUE, Clock.systemUTC()),
                Bench.unheard(Service.TABLE));
        String url = "https://" + host + ":" + server.httpsPort() + "/people";
        Request request = Request.of("insert", "people(p, r)", OperationType.WRITE, HttpMethod.POST, url)
                .body("application/json", new byte[] {'{', '}'});
        RetrySettings settings = RetrySettings.builder()
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .retries(2)
                .build();
        return pipeline.send(Exchange.of(request, settings, response -> new ParseResult.Value<>(response.text())));
    }

    private static HttpClient trusting(HttpClient client) {
        return client.secure(spec -> {
            try {
                spec.sslContext(SslContextBuilder.forClient()
                        .trustManager(identity.certificate())
                        .build());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void exchangesOverTls() {
        assertThat(insert(Bench.account().credential(), TlsTest::trusting).block())
                .isEqualTo("hello over TLS");
        assertThat(authorizations()).singleElement().asString().startsWith("SharedKey acct:");
    }

    @Test
    void sendsTokensOverTls() {
        FakeTokens tokens = new FakeTokens().gives("one");

        assertThat(insert(tokens.credential(), TlsTest::trusting).block()).isEqualTo("hello over TLS");
        assertThat(authorizations()).containsExactly("Bearer one");
    }

    private static Throwable failure(Mono<String> insert) {
        return insert.map(value -> new AssertionError("succeeded with " + value))
                .cast(Throwable.class)
                .onErrorResume(Mono::just)
                .block();
    }

    @Test
    @DisplayName("RETRY-2: a trusted certificate of another host fails, too, and nothing was written")
    void refusesTheCertificateOfAnotherHost() {
        Throwable failure = failure(insert("127.0.0.1", Bench.account().credential(), TlsTest::trusting));

        assertThat(failure).isInstanceOf(UnreachableException.class).hasMessageContaining("127.0.0.1");
        assertThat(((StorageException) failure).failure().unansweredAttempts()).isZero();
        assertThat(authorizations()).isEmpty();
    }

    @Test
    @DisplayName("RETRY-2: a certificate that is not trusted fails clearly after one retry, and nothing was written")
    void refusesAnUntrustedCertificate() {
        Throwable failure = failure(insert(Bench.account().credential(), UnaryOperator.identity()));

        assertThat(failure)
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("unable to find valid certification path")
                .hasCauseInstanceOf(SSLException.class);
        assertThat(((StorageException) failure).failure().unansweredAttempts()).isZero();
        assertThat(((StorageException) failure).failure().attempts()).isEqualTo(2);
        assertThat(authorizations()).isEmpty();
    }
}
